import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { Cron } from 'croner'

/** Why the stack cannot start, as one sentence that says what to do. */
export class StartError extends Error {}

export interface Settings {
  port: number
  /** Absolute; holds PostgreSQL's files, and keys and backups per account. */
  dataFolder: string
  /** A PostgreSQL of the owner's own, in place of one that the tracker starts. */
  databaseUrl: string | undefined
  /** Which of the two databases: the sample's, or the owner's own with a real Ride with GPS account. */
  account: 'sample' | 'owner'
  ownerEmail: string
  /** Undefined: to be generated. */
  ownerPassword: string | undefined
  /** When rides are refreshed; null: never by itself. */
  refreshCron: string | null
  /** What the functions are told beyond the stack's own addresses and keys. */
  functionSecrets: Record<string, string>
  /** Hot reload instead of the built client. */
  dev: boolean
}

export type Environment = Record<string, string | undefined>

/** Where the owner may write the functions' secrets, as the Supabase CLI reads it. */
export const SECRETS_FILE = fileURLToPath(new URL('../supabase/functions/.env', import.meta.url))
/** The secrets that the owner may set for the functions. */
export const FUNCTION_SECRETS = [
  'RWGPS_API_KEY',
  'RWGPS_EMAIL',
  'RWGPS_PASSWORD',
  'RWGPS_AUTH_TOKEN',
  'RWGPS_USER_ID',
  'RWGPS_BASE_URL',
  'SCHEDULE_KEY',
]
// Away from the full hour, when everybody else's schedules knock at Ride with GPS.
const HOURLY = '17 * * * *'

/** The settings of a start, from the environment and `supabase/functions/.env`; a StartError names what is wrong. */
export function readSettings(environment: Environment, { dev }: { dev: boolean }): Settings {
  const functionSecrets = readFunctionSecrets(environment)
  const account = whichAccount(functionSecrets)
  requireAddress(functionSecrets)
  requireScheduleKey(functionSecrets)
  return {
    port: readPort(environment.PORT),
    dataFolder: readDataFolder(environment),
    databaseUrl: readDatabaseUrl(environment),
    account,
    ownerEmail: environment.OWNER_EMAIL || 'owner@example.com',
    ownerPassword: environment.OWNER_PASSWORD || (account === 'sample' ? 'password' : undefined),
    refreshCron: readCron(environment.RIDES_REFRESH_CRON),
    functionSecrets,
    dev,
  }
}

/** The folder of all data, absolute. */
export function readDataFolder(environment: Environment): string {
  return path.resolve(environment.TRACKER_DATA_DIR || '.data')
}

/** The PostgreSQL that DATABASE_URL names. */
export function readDatabaseUrl({ DATABASE_URL: url }: Environment): string | undefined {
  if (!url) return undefined
  if (/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')) return url
  // Not printed: it may hold a password.
  throw new StartError('DATABASE_URL must begin with postgresql:// or postgres://.')
}

function readSecretsFile(): Environment {
  return existsSync(SECRETS_FILE) ? parseEnv(readFileSync(SECRETS_FILE, 'utf8')) : {}
}

/** The secrets that are set, by name. An empty one in the environment says "not this one", whatever the file holds. */
export function readFunctionSecrets(environment: Environment): Record<string, string> {
  const file = readSecretsFile()
  const named = FUNCTION_SECRETS.map((name) => [name, environment[name] ?? file[name] ?? ''] as const)
  return Object.fromEntries(named.filter(([, value]) => value !== ''))
}

/** Any credential means a real account; half a set is a mistake to name, never a reason to show the sample. */
export function whichAccount(secrets: Record<string, string>): Settings['account'] {
  const has = (name: string) => secrets[name] !== undefined
  const token = ['RWGPS_AUTH_TOKEN', 'RWGPS_USER_ID']
  const password = ['RWGPS_EMAIL', 'RWGPS_PASSWORD']
  if (!['RWGPS_API_KEY', ...token, ...password].some(has)) return 'sample'

  const byToken = token.some(has) && !password.every(has)
  const missing = ['RWGPS_API_KEY', ...(byToken ? token : password)].filter((name) => !has(name))
  if (missing.length > 0) {
    throw new StartError(
      `The Ride with GPS credentials are incomplete: ${missing.join(' and ')} ${missing.length > 1 ? 'are missing; set them' : 'is missing; set it'} ` +
        'in the environment or in supabase/functions/.env, or remove the others to see the sample.',
    )
  }
  return 'owner'
}

function requireAddress({ RWGPS_BASE_URL }: Record<string, string>): void {
  if (RWGPS_BASE_URL === undefined || /^https?:$/.test(URL.parse(RWGPS_BASE_URL)?.protocol ?? '')) return
  // Not told: an address may hold a password.
  throw new StartError('RWGPS_BASE_URL has to be an address that begins with https:// or http://.')
}

/** Throws a StartError when the schedule's key cannot be sent: a header has neither blanks at its ends nor other letters. */
export function requireScheduleKey({ SCHEDULE_KEY }: Record<string, string>): void {
  if (SCHEDULE_KEY === undefined || /^[!-~]+$/.test(SCHEDULE_KEY)) return
  throw new StartError('SCHEDULE_KEY has to be of letters, digits and signs of ASCII, without blanks.')
}

/** The port that PORT names; 5173 without it. */
export function readPort(named: string | undefined): number {
  const text = named || '5173'
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
    throw new StartError(`PORT is ${JSON.stringify(text)}; it has to be a number from 1 to 65535.`)
  }
  return port
}

/** The schedule that RIDES_REFRESH_CRON names; null for never. */
export function readCron(text = HOURLY): string | null {
  if (text.trim() === '') return null
  try {
    new Cron(text, { paused: true }).stop()
  } catch {
    throw new StartError(
      `RIDES_REFRESH_CRON is ${JSON.stringify(text)}; it has to be a cron expression such as "${HOURLY}", or empty for none.`,
    )
  }
  return text
}
