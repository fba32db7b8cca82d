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

// Hosted projects set a JSON object of named keys in a variable with a plural name; older ones set the legacy key.
function readKey(environment: Environment, name: string, legacyName: string): string {
  const keys = environment(`${name}S`)
  if (keys) return readDefaultKey(`${name}S`, keys)
  return environment(name) || environment(legacyName) || required(environment, name)
}

function readDefaultKey(name: string, json: string): string {
  // The message must not contain the value, which may be a secret.
  const invalid = new Error(`The environment variable ${name} is not a JSON object with a key "default".`)
  let keys: unknown
  try {
    keys = JSON.parse(json)
  } catch {
    throw invalid
  }
  const key = (keys as { default?: unknown } | null)?.default
  if (typeof key !== 'string' || key === '') throw invalid
  return key
}
