import { StartError } from '../settings.ts'
import { connect } from './connect.ts'

// Any number that no other program is likely to choose.
const KEY = 827_493_105

/** A tracker is running on the database already. */
export class DatabaseInUse extends StartError {
  constructor(name: string) {
    super(`${name} is in use by another tracker. Stop that one, or use another database or data folder.`)
  }
}

/**
 * Takes the lock of the tracker that serves a database server: an advisory lock, which PostgreSQL drops together with the
 * session when the tracker ends, however it ends. The returned function gives it back. Throws `DatabaseInUse`.
 */
export async function lock(url: string, name: string): Promise<() => Promise<void>> {
  // No lifetime: the lock ends with its session.
  const session = connect(url, 1, { idle_timeout: 0, max_lifetime: null })
  const [row] = await session`select pg_try_advisory_lock(${KEY}) as taken`
  if (!row?.taken) {
    await session.end()
    throw new DatabaseInUse(name)
  }
  return () => session.end()
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
