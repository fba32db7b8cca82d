import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { StartError } from '../settings.ts'
import { connect } from './connect.ts'

// An arbitrary number that other programs are unlikely to use.
const KEY = 827_493_105

const RETRY_MS = 200
// PostgreSQL needs a moment to notice that a session has ended. Until then, that session still holds the lock.
const RELEASE_MS = 2000
const END_SECONDS = 1

export class DatabaseInUse extends StartError {
  constructor(name: string) {
    super(`${name} is in use by another tracker. Stop that one, or use another database or data folder.`)
  }
}

/** A command holds the lock while it uses a server that it started. */
export type Holder = 'tracker' | 'command'

/**
 * Takes an advisory lock, so only one tracker uses a database server. Throws `DatabaseInUse` if another tracker holds it.
 * Returns the session, which also runs the tracker's own statements. When it ends, even in a crash, the lock is released. A
 * broken session is replaced by a new one that takes the lock again. Calls `onLost` if another tracker was faster.
 */
export async function lock(
  url: string,
  name: string,
  onLost?: (error: DatabaseInUse) => void,
  holderName: Holder = 'tracker',
): Promise<Sql> {
  let holder: Sql | undefined
  let isEnded = false

  // Keep the session open: closing it releases the lock.
  const open = () => {
    const session = connect(url, 1, {
      idle_timeout: 0,
      max_lifetime: null,
      connection: { application_name: holderName },
      onclose: () => {
        if (session === holder && !isEnded) void replace(session)
      },
    })
    return session
  }
  const first = open()
  if (!(await tryLock(first))) {
    await first.end()
    throw new DatabaseInUse(name)
  }
  holder = first
  let current = first

  async function replace(broken: Sql): Promise<void> {
    holder = undefined
    const since = performance.now()
    // After its connection breaks, a driver may never send another statement, so use a new one.
    for (let last = broken; ; last = current) {
      current = open()
      void last.end({ timeout: 0 })
      const isLocked = await tryLock(current).catch(() => undefined)
      if (isEnded) return void current.end({ timeout: 0 })
      if (isLocked) {
        holder = current
        return
      }
      if (isLocked === false && performance.now() - since > RELEASE_MS)
        return onLost?.(new DatabaseInUse(name))
      await sleep(RETRY_MS)
    }
  }

  const end: Sql['end'] = (options) => {
    isEnded = true
    // Without a timeout, the driver would wait forever for a broken connection.
    return current.end({ timeout: END_SECONDS, ...options })
  }
  return new Proxy(first, {
    apply: (_, __, statement) => Reflect.apply(current, undefined, statement),
    get: (_, property) => (property === 'end' ? end : Reflect.get(current, property)),
  })
}

async function tryLock(session: Sql): Promise<boolean> {
  const [row] = await session<{ locked: boolean }[]>`select pg_try_advisory_lock(${KEY}) as locked`
  return row!.locked
}

/** Returns who has locked the server at `url`. */
export async function lockState(url: string): Promise<Holder | 'free' | 'unreachable'> {
  const { promise: closed, resolve: onclose } = Promise.withResolvers<void>()
  // If the server stops at the wrong moment, the driver never answers, or rejects its own query for the types of arrays.
  const session = connect(url, 1, { fetch_types: false, onclose: () => onclose() })
  try {
    const holders = session<{ holder: Holder }[]>`
      select application_name as holder from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = ${KEY} and granted`
    const rows = await Promise.race([holders, closed])
    return rows ? (rows[0]?.holder ?? 'free') : 'unreachable'
  } catch {
    return 'unreachable'
  } finally {
    await session.end({ timeout: END_SECONDS })
  }
}
