/** Never log a credential, token, email address or query string. */
export type LogFields = Record<string, string | number | boolean | null>

export interface Log {
  info(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export type LogOutput = Pick<Console, 'info' | 'error'>

/** Creates the log of the function `source`. As a second line of defense, redacts `secrets` wherever they appear. */
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

/** Describes an unexpected error for the log, never for the caller. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return { error: error.name, sqlstate: code, detail: error.message.slice(0, MAX_DETAIL) }
}

// Long enough for a PostgreSQL message, too short for a dump of personal data.
const MAX_DETAIL = 300

function createRedaction(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret !== '')
  return (text) => {
    const redacted = spellings.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
    return redacted.replaceAll(/\?\S+/g, '?[redacted]').replaceAll(/\S+@\S+/g, '[redacted]')
  }
}
