/** Where variables are read from: `Deno.env.get`, or a table in tests. */
export type Environment = (name: string) => string | undefined

/** A Supabase project as a caller reaches it, without any right of its own. */
export interface Project {
  url: string
  publishableKey: string
}

/** The value of a variable; an empty one counts as missing. Throws with its name, so that a start stops there. */
export function required(environment: Environment, name: string): string {
  const value = environment(name)
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is missing.`)
  return value
}

/** The project, from SUPABASE_URL and the publishable key in whichever variable the platform gives it. */
export function readProject(environment: Environment): Project {
  return {
    url: required(environment, 'SUPABASE_URL'),
    publishableKey: readKey(environment, 'SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY'),
  }
}

/** The key that passes row-level security. */
export function readSecretKey(environment: Environment): string {
  return readKey(environment, 'SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY')
}

// Hosted projects give a JSON dictionary of keys by name, in a variable of the plural name; older ones the legacy key.
function readKey(environment: Environment, name: string, legacyName: string): string {
  const dictionary = environment(`${name}S`)
  if (dictionary) return readDefaultKey(`${name}S`, dictionary)
  return environment(name) || environment(legacyName) || required(environment, name)
}

function readDefaultKey(name: string, dictionary: string): string {
  const complaint = new Error(`The environment variable ${name} is not a JSON object with a key "default".`)
  let keys: unknown
  try {
    keys = JSON.parse(dictionary)
  } catch {
    throw complaint
  }
  const key = (keys as { default?: unknown } | null)?.default
  if (typeof key !== 'string' || key === '') throw complaint
  return key
}
