import type { PostgresConnection } from '@supabase/lite/postgres'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { isPackage } from '../installation.ts'
import { StartError } from '../settings.ts'

// The version that this folder fits.
const VERSION = '0.10.0'

// The connection's methods that the tracker replaces or calls in another way than documented, with their number of parameters.
const METHODS = { 'driver.reserve': 0, 'kysely.transaction': 0, runInTransaction: 1, withContext: 3 }

/** Throws a StartError that names what doesn't fit the installed version of Supabase Lite. */
export function requireHooks(connection: PostgresConnection, version = installedVersion()): void {
  const problems = Object.entries(METHODS)
    .filter(([name, parameters]) => methodAt(connection, name)?.length !== parameters)
    .map(([name]) => `connection.${name}`)
  if (version !== VERSION) problems.unshift(`version ${version}`)
  if (problems.length === 0) return
  throw new StartError(
    `The tracker fits Supabase Lite ${VERSION}, but these don't fit: ${problems.join(', ')}. Run npm ci, or adapt embedded/supabase-lite.`,
  )
}

function methodAt(connection: object, name: string): Function | undefined {
  const value = name.split('.').reduce<unknown>((each, key) => Object(each)[key], connection)
  return typeof value === 'function' ? value : undefined
}

// The package bundles Supabase Lite, so it has no version of its own there.
function installedVersion(): string {
  if (isPackage) return VERSION
  return JSON.parse(readFileSync(findPackageJSON('@supabase/lite', import.meta.url)!, 'utf8')).version
}
