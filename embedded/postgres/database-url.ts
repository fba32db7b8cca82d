import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { Options } from 'postgres'
import { StartError } from '../../hosting/settings.ts'

type DriverOptions = Options<{}>

const SSL_MODES = new Set(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])
const SESSION_KINDS = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

// libpq's parameters that change nothing for the tracker, or that the driver handles by itself.
const IGNORED = new Set([
  'application_name',
  'fallback_application_name',
  'channel_binding',
  'client_encoding',
  'gssencmode',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'sslsni',
])

/**
 * Reads a connection URI as libpq does, and returns the driver's options. The driver itself neither decodes the database's name
 * nor knows most parameters. Throws a StartError that doesn't repeat the value, because it may contain a password.
 */
export function readConnectionUrl(text: string): DriverOptions {
  const url = URL.parse(text)
  if (!/^postgres(ql)?:/.test(text))
    throw new StartError('DATABASE_URL must start with postgresql:// or postgres://.')
  if (!url || hasRawCharacter(url)) throw unreadable()
  const { host, port, user, password, dbname, ...rest } = Object.fromEntries(url.searchParams)
  const { sslmode, sslrootcert, sslcert, sslkey, ssl, ...others } = rest
  const hostName = host ?? decoded(url.hostname).replace(/^\[(.*)\]$/, '$1')
  return {
    ...readHost(hostName, Number(port ?? url.port)),
    ...optional('user', user ?? decoded(url.username)),
    ...optional('password', password ?? decoded(url.password)),
    ...optional('database', dbname ?? decoded(url.pathname.slice(1))),
    ...readOthers(others),
    ssl: readTls(
      { sslmode: sslmode ?? (ssl === 'true' ? 'require' : undefined), sslrootcert, sslcert, sslkey },
      hostName,
    ),
  }
}

const optional = <Name extends string, Value>(name: Name, value: Value) =>
  (value ? { [name]: value } : {}) as { [name in Name]?: Value }

// The driver splits text at colons, so an IPv6 address must be in a list, which its types don't know.
const readHost = (host: string, port: number): DriverOptions =>
  isIPv6(host)
    ? ({ host: [host], port: [port || 5432] } as object)
    : { ...optional('host', host), ...optional('port', port) }

/** Returns whether a character of the password ended the host too early: then the rest has the `@`. */
function hasRawCharacter({ hash, username, pathname, search }: URL): boolean {
  return hash !== '' || (username === '' && (pathname.includes('@') || /^[^=]*@/.test(search)))
}

const unreadable = () =>
  new StartError(
    "DATABASE_URL can't be read. In its user, password and database name, write % as %25, # as %23, / as %2F, : as %3A, ? as %3F and @ as %40.",
  )

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw unreadable()
  }
}

function readOthers({
  options,
  connect_timeout,
  sslnegotiation,
  target_session_attrs,
  ...others
}: Record<string, string>): DriverOptions {
  if (others.pgbouncer !== undefined)
    throw new StartError(
      'DATABASE_URL has pgbouncer=true, so it belongs to a pooler that gives each transaction another session. Use the URL of the server itself or of a pooler in session mode.',
    )
  const unknown = Object.keys(others).find((name) => !IGNORED.has(name))
  if (unknown !== undefined)
    throw new StartError(
      `DATABASE_URL has the parameter ${JSON.stringify(unknown)}, which the tracker doesn't know. Remove it.`,
    )
  const kind = SESSION_KINDS.find((known) => known === target_session_attrs)
  return {
    ...(kind && { target_session_attrs: kind }),
    ...optional('connect_timeout', Number(connect_timeout)),
    ...(sslnegotiation === 'direct' && { sslnegotiation }),
    ...(options && { connection: { options } }),
  }
}

type Tls = Partial<Record<'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey', string | undefined>>

/** Returns the driver's setting for TLS. As in libpq, `require` with a root certificate verifies it. */
function readTls({ sslmode, sslrootcert, sslcert, sslkey }: Tls, host: string): DriverOptions['ssl'] & {} {
  const mode = sslmode ?? (sslrootcert === 'system' ? 'verify-full' : 'disable')
  if (!SSL_MODES.has(mode))
    throw new StartError(
      `DATABASE_URL has the sslmode ${JSON.stringify(mode)}. Set it to disable, prefer, require, verify-ca or verify-full.`,
    )
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const verifies = mode.startsWith('verify-') || (mode === 'require' && sslrootcert !== undefined)
  return {
    rejectUnauthorized: verifies,
    // Without a name to verify, Node.js would verify the name "localhost" for an IP address.
    ...(mode === 'verify-full' ? { host } : { checkServerIdentity: () => undefined }),
    ...(sslrootcert && sslrootcert !== 'system' && { ca: readFile('sslrootcert', sslrootcert) }),
    ...(sslcert && { cert: readFile('sslcert', sslcert) }),
    ...(sslkey && { key: readFile('sslkey', sslkey) }),
  } satisfies ConnectionOptions
}

function readFile(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(
      `DATABASE_URL has the ${parameter} ${file}, which can't be read (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}
