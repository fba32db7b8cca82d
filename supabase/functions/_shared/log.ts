/** What a log line may hold beside its event: never a credential, a token, an e-mail address or a query string. */
export type LogFields = Record<string, string | number | boolean | null>

/** Writes one JSON line per event. */
export interface Log {
  info(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** What the log needs of a console. */
export type LogOutput = Pick<Console, 'info' | 'error'>

/** A log of the function `source`. `secrets` are blotted out wherever one turns up, as a second line of defence. */
export function createLog(source: string, secrets: readonly string[], output: LogOutput = console): Log {
  const redact = createRedaction(secrets)
  const line = (event: string, fields: LogFields = {}) =>
    JSON.stringify({ source, event, ...fields }, (_key, value: unknown) =>
      typeof value === 'string' ? redact(value) : value,
    )
  return {
    info: (event, fields) => output.info(line(event, fields)),
    error: (event, fields) => output.error(line(event, fields)),
  }
}

/** What is known of an unexpected error, for the log alone. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return { error: error.name, sqlstate: code, detail: error.message.slice(0, MAX_DETAIL) }
}

// Room for a sentence of PostgreSQL, not for a page of somebody's data.
const MAX_DETAIL = 300

function createRedaction(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret !== '')
  return (text) => {
    const blotted = spellings.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
    return blotted.replaceAll(/\?\S+/g, '?[redacted]').replaceAll(/\S+@\S+/g, '[redacted]')
  }
}
