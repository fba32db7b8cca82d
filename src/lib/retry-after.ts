let until = 0

/** Remembers the `Retry-After` of a busy backend, because Auth and PostgREST errors carry no headers. */
export function noteRetryAfter({ status, headers }: Response): void {
  if (status !== 429 && status !== 503) return
  const value = headers.get('Retry-After') ?? ''
  until = /^\d+$/.test(value) ? Date.now() + Number(value) * 1000 : Date.parse(value) || 0
}

/** When to try again; null if the backend did not say, or that time has passed. */
export function whenToRetry(): string | null {
  const seconds = Math.ceil((until - Date.now()) / 1000)
  if (seconds <= 0) return null
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`
}
