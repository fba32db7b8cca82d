import { parseJson, readText } from '../../_shared/http/body.ts'
import type { Log } from '../../_shared/http/log.ts'
import { failed, ok, type Result, type RwgpsFailure } from './result.ts'

export interface Transport {
  fetch: typeof globalThis.fetch
  /** Resolves after `ms`. Rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
  random: () => number
  now: () => number
  /** The time limit of a request, including reading the body, in milliseconds. */
  requestTimeout: number
  log: Log
}

/** A JSON response, or 404. */
export type RwgpsResponse = { found: true; body: unknown } | { found: false }

export type Get = (
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
) => Promise<Result<RwgpsResponse>>

interface Attempt {
  result: Result<RwgpsResponse>
  status: number | null
  mayRetry: boolean
  retryAfter: string | null
}

// A page of 1000 trips is about 1.3 MB.
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024

/** Creates the function that sends all requests to Ride with GPS. Logs failed attempts without the query, which has credentials. */
export function createGet(baseUrl: string, transport: Transport, retries = true): Get {
  return async (path, query, signal) => {
    const url = `${baseUrl.replace(/\/+$/, '')}/${path}?${new URLSearchParams(query)}`
    for (let number = 1; ; number += 1) {
      const { result, status, mayRetry, retryAfter } = await attempt(url, signal, transport)
      if (result.ok || isAbandoned(signal)) return result
      transport.log.error('rwgps_request_failed', { path, status, attempt: number, code: result.code })
      const delay = mayRetry && retries ? retryDelay(number, retryAfter, transport) : null
      if (delay === null) {
        const requested = parseRetryAfter(retryAfter, transport.now())
        return requested ? { ...result, retryAfter: requested } : result
      }
      if (!(await slept(delay, signal, transport))) return failed('rwgps_timeout')
    }
  }
}

async function attempt(url: string, signal: AbortSignal, transport: Transport): Promise<Attempt> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(transport.requestTimeout)])
  try {
    const response = await transport.fetch(url, {
      headers: { Accept: 'application/json' },
      // A redirect could send the credentials to another server.
      redirect: 'manual',
      signal: deadline,
    })
    return await readResponse(response)
  } catch {
    return deadline.aborted ? giveUp('rwgps_timeout', null) : tryAgain('rwgps_unreachable', null, null)
  }
}

async function readResponse(response: Response): Promise<Attempt> {
  const { status } = response
  if (status === 200) {
    const text = await readText(response.body, MAX_RESPONSE_BYTES)
    const body = text === null ? undefined : parseJson(text)
    if (body === undefined) return giveUp('rwgps_bad_answer', status)
    return { result: ok({ found: true, body }), status, mayRetry: false, retryAfter: null }
  }
  await response.body?.cancel()
  const retryAfter = response.headers.get('Retry-After')
  if (status === 429) return tryAgain('rwgps_rate_limited', status, retryAfter)
  // To the owner, a failing server is the same as an unreachable one.
  if (status >= 500) return tryAgain('rwgps_unreachable', status, retryAfter)
  if (status === 401 || status === 403) return giveUp('rwgps_unauthorized', status)
  if (status === 404) return { result: ok({ found: false }), status, mayRetry: false, retryAfter: null }
  return giveUp('rwgps_bad_answer', status)
}

function tryAgain(code: RwgpsFailure, status: number | null, retryAfter: string | null): Attempt {
  return { result: failed(code), status, mayRetry: true, retryAfter }
}

function giveUp(code: RwgpsFailure, status: number | null): Attempt {
  return { result: failed(code), status, mayRetry: false, retryAfter: null }
}

// If the sync already failed elsewhere, don't log a Ride with GPS failure.
const isAbandoned = ({ aborted, reason }: AbortSignal) => aborted && reason.name !== 'TimeoutError'

async function slept(ms: number, signal: AbortSignal, { sleep }: Transport): Promise<boolean> {
  try {
    await sleep(ms, signal)
    return true
  } catch {
    return false
  }
}

/** Including the first attempt. */
const MAX_ATTEMPTS = 4

const FIRST_DELAY_MS = 300

// A sync has 70 seconds on a hosted project, so leave longer waits to the next sync.
const MAX_WAIT_MS = 20_000

interface Sources {
  random: () => number
  now: () => number
}

/**
 * Returns the milliseconds to wait after failed attempt number `attempt` (starting at 1), or null to give up. Without a
 * Retry-After, backs off exponentially with jitter, so trackers that failed at the same time don't retry at the same time.
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | null,
  { random, now }: Sources,
): number | null {
  if (attempt >= MAX_ATTEMPTS) return null
  const requested = parseRetryAfter(retryAfter, now())
  if (requested !== null) return requested <= MAX_WAIT_MS ? requested : null
  return FIRST_DELAY_MS * 2 ** (attempt - 1) * (1 - random() / 2)
}

function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  // Check that the date ends with GMT, as every HTTP date does, because Date.parse also accepts "-5".
  const date = header.trimEnd().endsWith('GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
