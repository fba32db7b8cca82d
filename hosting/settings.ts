import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

/** An error whose message explains to the owner what happened and what to do. Printed without a stack trace. */
export class StartError extends Error {}

/** Reads the owner's text file. Throws a StartError if it can't be read or isn't UTF-8. */
export function readTextFile(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof TypeError)
      throw new StartError(`${file} isn't UTF-8 text. Save it as UTF-8, then try again.`)
    throw new StartError(`Can't read ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

type Environment = Record<string, string | undefined>

/** A hosted project's settings file, which Git ignores. The Supabase CLI also reads it if SUPABASE_ENV is "hosted". */
export const HOSTED_FILE = 'supabase/.env.hosted'

/** Reads the hosted project's settings file. Returns undefined if it doesn't exist. */
export function readHostedFile(root: string): Environment | undefined {
  const file = path.join(root, HOSTED_FILE)
  return existsSync(file) ? parseEnv(readTextFile(file)) : undefined
}

/** Adds the file's settings to the environment. Ignores the file if SUPABASE_URL is set, even to an empty value. */
export function hostedEnvironment(environment: Environment, root: string): Environment {
  return environment.SUPABASE_URL === undefined ? { ...readHostedFile(root), ...environment } : environment
}

/** The `config.json` of a client on a static host. */
export interface HostedConfig {
  supabaseUrl: string
  publishableKey: string
  rwgpsUrl: string
  vapidPublicKey?: string
  sample: false
  secondFactor: true
  isHosted: true
}

/** Reads the hosted client's settings. Returns null if none are set. Throws if they are invalid or contain a secret key. */
export function readHostedConfig(environment: Environment): HostedConfig | null {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, RWGPS_BASE_URL, VAPID_PUBLIC_KEY } = environment
  if (!SUPABASE_URL && !SUPABASE_PUBLISHABLE_KEY) return null
  if (!SUPABASE_URL || !SUPABASE_PUBLISHABLE_KEY) {
    throw new Error('Set both SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY, or neither.')
  }
  if (!URL.canParse(SUPABASE_URL)) throw new Error(`SUPABASE_URL is not a valid URL: ${SUPABASE_URL}`)
  if (isSecret(SUPABASE_PUBLISHABLE_KEY)) {
    throw new Error(
      'SUPABASE_PUBLISHABLE_KEY contains a secret key, which anyone could read in the client. Use the publishable key.',
    )
  }
  return {
    supabaseUrl: SUPABASE_URL.replace(/\/+$/, ''),
    publishableKey: SUPABASE_PUBLISHABLE_KEY,
    rwgpsUrl: RWGPS_BASE_URL || 'https://ridewithgps.com',
    ...(VAPID_PUBLIC_KEY && { vapidPublicKey: readVapidPublicKey(VAPID_PUBLIC_KEY) }),
    sample: false,
    secondFactor: true,
    isHosted: true,
  }
}

// Don't print the key: it may be the private key, which is half as long.
function readVapidPublicKey(key: string): string {
  if (/^B[\w-]{86}$/.test(key)) return key
  throw new Error('VAPID_PUBLIC_KEY is not a public key. `npm run deploy` creates keys.')
}

// New keys have a prefix; legacy keys are JWTs with a role.
function isSecret(key: string): boolean {
  if (key.startsWith('sb_secret_')) return true
  const payload = Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()
  return payload.includes('service_role')
}
