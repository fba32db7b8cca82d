import { parseJson } from './body.ts'

/** Reads an environment variable: `Deno.env.get`, or a lookup table in tests. */
export type Environment = (name: string) => string | undefined

/** The public address and key of a Supabase project. */
export interface Project {
  url: string
  publishableKey: string
}

/** The value of a variable. Throws with its name if it is missing or empty. */
export function required(environment: Environment, name: string): string {
  const value = environment(name)
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is missing.`)
  return value
}

/** A duration in milliseconds, from a variable with a number of seconds. Throws with its name if it is invalid. */
export function readSeconds(environment: Environment, name: string, byDefault: number): number {
  const seconds = Number(environment(name) || byDefault)
  if (seconds > 0 && seconds < Infinity) return seconds * 1000
  throw new Error(`The environment variable ${name} is not a number of seconds.`)
}

/** The project, from SUPABASE_URL and whichever variable holds the publishable key. */
export function readProject(environment: Environment): Project {
  return {
    url: required(environment, 'SUPABASE_URL'),
    publishableKey: readKey(environment, 'SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY'),
  }
}

/** The key that bypasses row-level security. */
export function readSecretKey(environment: Environment): string {
  return readKey(environment, 'SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY')
}

// Hosted projects set a JSON object of named keys in a variable with a plural name. Older ones have no key "default" in it, or only
// set the legacy key.
function readKey(environment: Environment, name: string, legacyName: string): string {
  const key = readDefaultKey(environment(`${name}S`)) || environment(name) || environment(legacyName)
  if (key) return key
  // The message must not contain the values, which may be secrets.
  throw new Error(
    `The environment variables ${name} and ${legacyName} are missing, and ${name}S has no key "default".`,
  )
}

function readDefaultKey(json = ''): string | undefined {
  const keys = parseJson(json) as { default?: unknown } | null | undefined
  return typeof keys?.default === 'string' ? keys.default : undefined
}
