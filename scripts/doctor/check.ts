import { parseJson, readText } from '../../supabase/functions/_shared/http/body.ts'

/** A check's result. The text includes a fix unless the mark is `ok`, and never contains a secret. */
export interface CheckResult {
  /** `warning`: works, but needs attention. `problem`: doesn't work. */
  mark: 'ok' | 'warning' | 'problem'
  text: string
}

export const ok = (text: string): CheckResult => ({ mark: 'ok', text })
export const warning = (text: string): CheckResult => ({ mark: 'warning', text })
export const problem = (text: string): CheckResult => ({ mark: 'problem', text })

export type Check = () => AsyncIterable<CheckResult> | Iterable<CheckResult>

// Long enough for a hosted project's function to start.
const TIMEOUT_MS = 15_000
const MAX_BYTES = 2 ** 20

export interface Reply {
  status: number
  /** Undefined if the body isn't JSON. */
  body: unknown
}

/** Sends a request. Returns undefined if nothing responds. */
export async function request(url: string, init: RequestInit = {}): Promise<Reply | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { status: response.status, body: parseJson((await readText(response.body, MAX_BYTES)) ?? '') }
  } catch {
    return undefined
  }
}

/** Returns the error code in a response from PostgREST, Auth or a function. */
export function codeOf(reply: Reply | undefined): string | undefined {
  const { code } = (reply?.body ?? {}) as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? `${code}` : undefined
}
