/** Tries of one request in all. */
export const MAX_ATTEMPTS = 4

const FIRST_DELAY_MS = 300

// A run has 120 seconds; a longer wait is better spent by asking again later.
const LONGEST_WAIT_MS = 20_000

interface Chance {
  random: () => number
  now: () => number
}

/**
 * Milliseconds to wait after failed attempt number `attempt` (from 1), or null to give up: what Retry-After asks for
 * (seconds or an HTTP date) if that is short, else twice as long each time, shortened at random by up to half, so
 * that trackers which failed together do not come back together.
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | null,
  { random, now }: Chance,
): number | null {
  if (attempt >= MAX_ATTEMPTS) return null
  const asked = parseRetryAfter(retryAfter, now())
  if (asked !== null) return asked <= LONGEST_WAIT_MS ? asked : null
  return FIRST_DELAY_MS * 2 ** (attempt - 1) * (1 - random() / 2)
}

function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  // Every HTTP date ends so; Date.parse would make one of "-5" too.
  const date = header.trimEnd().endsWith('GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
