import { parseJson } from './body.ts'

/** Looks up an environment variable. Tests pass a lookup table instead of `Deno.env.get`. */
export type Environment = (name: string) => string | undefined

export interface Project {
  url: string
  publishableKey: string
}

/** Throws with the variable's name if it is missing or empty. */
export function required(environment: Environment, name: string): string {
  const value = environment(name)
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is missing.`)
  return value
}

/** Reads a number of seconds and returns milliseconds. Throws with the variable's name if it is invalid. */
export function readSeconds(environment: Environment, name: string, byDefault: number): number {
  const seconds = Number(environment(name) || byDefault)
  if (seconds > 0 && seconds < Infinity) return seconds * 1000
  throw new Error(`The environment variable ${name} is not a number of seconds.`)
}

/** Reads the project's address and publishable key. Throws with the name of a missing variable. */
export function readProject(environment: Environment): Project {
  return {
    url: required(environment, 'SUPABASE_URL'),
    publishableKey: readKey(environment, 'SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY'),
  }
}

/** Reads the key that bypasses row-level security. Throws with the variable's name if it is missing. */
export function readSecretKey(environment: Environment): string {
  return readKey(environment, 'SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY')
}

// Hosted projects set the plural variable, a JSON object of named keys. Older projects lack "default" or the variable.
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
