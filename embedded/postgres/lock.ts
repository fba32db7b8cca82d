import type { Sql } from 'postgres'
import { StartError } from '../settings.ts'
import { connect } from './connect.ts'

// An arbitrary number that other programs are unlikely to use.
const KEY = 827_493_105

/** Another tracker is already running on the database. */
export class DatabaseInUse extends StartError {
  constructor(name: string) {
    super(`${name} is in use by another tracker. Stop that one, or use another database or data folder.`)
  }
}

/**
 * Takes an advisory lock, so only one tracker uses a database server. PostgreSQL releases it when the tracker's session
 * ends, even after a crash. Returns that session, which also saves the memory of another one. Throws `DatabaseInUse` if
 * another tracker holds the lock.
 */
export async function lock(url: string, name: string): Promise<Sql> {
  // Keep the session open: closing it releases the lock.
  const session = connect(url, 1, { idle_timeout: 0, max_lifetime: null })
  const [row] = await session`select pg_try_advisory_lock(${KEY}) as locked`
  if (!row?.locked) {
    await session.end()
    throw new DatabaseInUse(name)
  }
  return session
}

/** Whether a tracker holds the lock of the server at `url`. */
export async function lockState(url: string): Promise<'locked' | 'free' | 'unreachable'> {
  const session = connect(url)
  try {
    const rows =
      await session`select from pg_locks where locktype = 'advisory' and objid = ${KEY} and granted`
    return rows.length > 0 ? 'locked' : 'free'
  } catch {
    return 'unreachable'
  } finally {
    await session.end()
  }
}
