/** Including the first one. */
const MAX_ATTEMPTS = 4

const FIRST_DELAY_MS = 300

// A sync has 120 seconds. If the wait is longer, a later sync is better.
const LONGEST_WAIT_MS = 20_000

interface Sources {
  random: () => number
  now: () => number
}

/**
 * Milliseconds to wait after failed attempt number `attempt` (starting at 1), or null to give up. Uses Retry-After (seconds or
 * an HTTP date) if it is short, else exponential backoff with jitter, so trackers that failed together don't retry together.
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | null,
  { random, now }: Sources,
): number | null {
  if (attempt >= MAX_ATTEMPTS) return null
  const requested = parseRetryAfter(retryAfter, now())
  if (requested !== null) return requested <= LONGEST_WAIT_MS ? requested : null
  return FIRST_DELAY_MS * 2 ** (attempt - 1) * (1 - random() / 2)
}

function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  // Every HTTP date ends with GMT. Date.parse also accepts "-5".
  const date = header.trimEnd().endsWith('GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
