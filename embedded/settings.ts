import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { Cron } from 'croner'
import { readTextFile, StartError } from '../hosting/settings.ts'
import { CHANNELS } from '../supabase/functions/_shared/channels/list.ts'
import { isLoopback } from './port.ts'
import { readConnectionUrl } from './postgres/database-url.ts'
import { isPackage, ROOT, userDataFolder } from './installation.ts'

export { CHANNELS, readTextFile, StartError }

export interface Settings {
  port: number
  /** The IP address to listen on, in addition to 127.0.0.1. */
  host: string
  /** Whether the tracker runs in a container, whose own addresses help nobody. */
  isContainer: boolean
  /** The origin at which a reverse proxy serves the tracker. */
  publicUrl: string | undefined
  /** Absolute path of the folder with PostgreSQL's files, keys and backups. */
  dataFolder: string
  /** Set if the owner provides a PostgreSQL server. */
  databaseUrl: string | undefined
  /** The account, which also names the database: sample data or the owner's Ride with GPS account. */
  account: 'sample' | 'owner'
  ownerEmail: string
  /** Undefined to generate one. */
  ownerPassword: string | undefined
  /** Cron expression for syncs; null for no schedule. */
  syncCron: string | null
  /** Variables for the functions, in addition to the stack's URL and keys. */
  functionSecrets: Record<string, string>
  /** Whether to serve the client with hot reload instead of the built client. */
  dev: boolean
}

export type Environment = Record<string, string | undefined>

/** The sample's account, unless OWNER_EMAIL or OWNER_PASSWORD is set. Shown on the sign-in screen. */
export const DEMO_ACCOUNT = { email: 'owner@example.com', password: 'password' }

/** Returns the path of the functions' secrets file. In a clone, it's the file that the Supabase CLI reads. */
export function secretsFile(environment: Environment): string {
  return isPackage ? path.join(readDataFolder(environment), '.env') : path.join(ROOT, SECRETS_IN_CLONE)
}
const SECRETS_IN_CLONE = 'supabase/functions/.env'

/** Returns the secrets file's name for messages. */
export const shortSecretsFile = (environment: Environment) =>
  isPackage ? secretsFile(environment) : SECRETS_IN_CLONE

/** Ways to notify the owner outside of browsers. */
const OTHER_CHANNELS = CHANNELS.filter((channel) => channel.switch !== null)
export const CHANNEL_VARIABLES = OTHER_CHANNELS.flatMap(({ variables }) => variables)

export const FUNCTION_SECRETS = [
  'RWGPS_API_KEY',
  'RWGPS_EMAIL',
  'RWGPS_PASSWORD',
  'RWGPS_AUTH_TOKEN',
  'RWGPS_USER_ID',
  'RWGPS_BASE_URL',
  'SCHEDULE_KEY',
  ...CHANNEL_VARIABLES,
  // Only for tests: replaces all push services.
  'PUSH_BASE_URL',
]
// Every ten minutes, but not on the hour, when many other schedules call Ride with GPS.
const DEFAULT_CRON = '7-59/10 * * * *'

/** Reads the settings from the environment and the secrets file. Throws a StartError if one is invalid. */
export function readSettings(environment: Environment, { dev = false } = {}): Settings {
  const functionSecrets = readFunctionSecrets(environment)
  const account = whichAccount(functionSecrets, environment)
  requireBaseUrl(functionSecrets)
  requireScheduleKey(functionSecrets)
  readTargets(functionSecrets)
  const host = readHost(environment.HOST)
  const publicUrl = readPublicUrl(environment.PUBLIC_URL)
  return {
    port: readPort(environment.PORT),
    host,
    // Podman sets this variable, and so does the image.
    isContainer: Boolean(environment.container),
    publicUrl,
    dataFolder: readDataFolder(environment),
    databaseUrl: readDatabaseUrl(environment),
    account,
    ownerEmail: environment.OWNER_EMAIL || DEMO_ACCOUNT.email,
    ownerPassword: readOwnerPassword(environment.OWNER_PASSWORD, account, isOpen({ host, publicUrl })),
    syncCron: readCron(environment.RIDES_REFRESH_CRON),
    functionSecrets,
    dev,
  }
}

// The sample's default password is publicly known, so only use it if other devices can't reach the tracker.
function readOwnerPassword(
  password: string | undefined,
  account: Settings['account'],
  isOpen: boolean,
): string | undefined {
  if (!password) return account === 'sample' && !isOpen ? 'password' : undefined
  if (!isOpen || password.length >= MIN_NETWORK_PASSWORD) return password
  throw new StartError(
    `OWNER_PASSWORD is too short. With HOST or PUBLIC_URL, it needs at least ${MIN_NETWORK_PASSWORD} characters.`,
  )
}

/** The minimum password length if other devices can reach the tracker. */
export const MIN_NETWORK_PASSWORD = 12

export function readDataFolder(environment: Environment): string {
  return path.resolve(environment.TRACKER_DATA_DIR || (isPackage ? userDataFolder(environment) : '.data'))
}

export function readDatabaseUrl({ DATABASE_URL: url }: Environment): string | undefined {
  if (!url) return undefined
  readConnectionUrl(url)
  return url
}

function readSecretsFile(environment: Environment): Environment {
  const name = secretsFile(environment)
  return existsSync(name) ? parseEnv(readTextFile(name)) : {}
}

const ENVIRONMENT_ONLY = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'TRACKER_DATA_DIR',
  'DATABASE_URL',
  'OWNER_EMAIL',
  'OWNER_PASSWORD',
  'RIDES_REFRESH_CRON',
]

/** Names the settings that the secrets file has, but that only count in the environment. Returns null if there are none. */
export function misplacedSettings(
  environment: Environment,
  file = readSecretsFile(environment),
): string | null {
  const names = ENVIRONMENT_ONLY.filter((name) => file[name] !== undefined && environment[name] === undefined)
  if (names.length === 0) return null
  const list = new Intl.ListFormat('en-US').format(names)
  return `${list} in ${shortSecretsFile(environment)} ${names.length > 1 ? 'have' : 'has'} no effect. Set ${names.length > 1 ? 'them' : 'it'} in the environment.`
}

/** Returns the secrets that are set. An empty environment variable overrides the file. */
export function readFunctionSecrets(environment: Environment): Record<string, string> {
  const file = readSecretsFile(environment)
  const named = FUNCTION_SECRETS.map((name) => [name, environment[name] ?? file[name] ?? ''] as const)
  return Object.fromEntries(named.filter(([, value]) => value !== ''))
}

/** Returns "owner" if credentials are set. Throws a StartError if they are incomplete, instead of showing the sample. */
export function whichAccount(
  secrets: Record<string, string>,
  environment: Environment = process.env,
): Settings['account'] {
  const has = (name: string) => secrets[name] !== undefined
  const token = ['RWGPS_AUTH_TOKEN', 'RWGPS_USER_ID']
  const password = ['RWGPS_EMAIL', 'RWGPS_PASSWORD']
  if (!['RWGPS_API_KEY', ...token, ...password].some(has)) return 'sample'

  const byToken = token.some(has) && !password.every(has)
  const missing = ['RWGPS_API_KEY', ...(byToken ? token : password)].filter((name) => !has(name))
  if (missing.length > 0) {
    throw new StartError(
      `The Ride with GPS credentials are incomplete: ${missing.join(' and ')} ${missing.length > 1 ? 'are missing. Set them' : 'is missing. Set it'} ` +
        `in the environment or in ${shortSecretsFile(environment)}, or remove the others to see sample data.`,
    )
  }
  return 'owner'
}

/** Throws a StartError if RWGPS_BASE_URL isn't a web address. */
export function requireBaseUrl({ RWGPS_BASE_URL }: Record<string, string>): void {
  if (RWGPS_BASE_URL === undefined || /^https?:$/.test(URL.parse(RWGPS_BASE_URL)?.protocol ?? '')) return
  // Don't print the value: it may contain a password.
  throw new StartError('RWGPS_BASE_URL must be a URL that starts with https:// or http://.')
}

/** Throws a StartError if the schedule key can't be sent as an HTTP header. */
export function requireScheduleKey({ SCHEDULE_KEY }: Record<string, string>): void {
  if (SCHEDULE_KEY === undefined || /^[!-~]+$/.test(SCHEDULE_KEY)) return
  throw new StartError('SCHEDULE_KEY may only contain ASCII letters, digits and punctuation, without spaces.')
}

/** Reads the channels outside of browsers that are set up. Throws a StartError that doesn't repeat secrets. */
export function readTargets(variables: Environment) {
  try {
    return OTHER_CHANNELS.flatMap((channel) => channel.read((name) => variables[name]) ?? [])
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

export function readPort(value: string | undefined): number {
  const text = value || '5173'
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
    throw new StartError(`PORT is ${JSON.stringify(text)}. It must be a number from 1 to 65535.`)
  }
  return port
}

function readHost(value: string | undefined): string {
  const text = value || '127.0.0.1'
  if (text === 'localhost') return '127.0.0.1'
  if (isIP(text) > 0) return text
  throw new StartError(
    `HOST is ${JSON.stringify(text)}. It must be an IP address of this machine, or 0.0.0.0 for all of them.`,
  )
}

/** Returns whether other devices can reach the tracker. */
export const isOpen = ({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>) =>
  !isLoopback(host) || publicUrl !== undefined

function readPublicUrl(value: string | undefined): string | undefined {
  if (!value) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(value.toLowerCase())) {
    return url.origin
  }
  // Don't print the value: it may contain a password.
  throw new StartError('PUBLIC_URL must be an address such as https://tracker.example.com, without a path.')
}

/** Validates a cron expression. Returns null for an empty one, which means no schedule. */
export function readCron(text = DEFAULT_CRON): string | null {
  if (text.trim() === '') return null
  try {
    new Cron(text, { paused: true }).stop()
  } catch {
    throw new StartError(
      `RIDES_REFRESH_CRON is ${JSON.stringify(text)}. It must be a cron expression such as "${DEFAULT_CRON}", or empty for no schedule.`,
    )
  }
  return text
}
