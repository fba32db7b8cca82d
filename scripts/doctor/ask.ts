// Longer than a function on a hosted project takes to wake up.
const DEADLINE_MS = 15_000

/** An answer, its JSON read; `body` is undefined where it is none. */
export interface Answer {
  status: number
  body: unknown
}

/** Asks; undefined where nobody answers. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) })
    const { status } = response
    return { status, body: await response.json().catch(() => undefined) }
  } catch {
    return undefined
  }
}

/** The code in an answer's body, as PostgREST, Auth and the functions write it. */
export function codeOf(answer: Answer | undefined): string | undefined {
  const { code } = (answer?.body ?? {}) as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? `${code}` : undefined
}
