import postgres, { type ReservedSql, type Sql } from 'postgres'

const WAIT_MS = 5000
const CONNECT_MS = 5000
// PostgreSQL cancels statements after 8 seconds, so an answer that is still missing was lost.
const STATEMENT_MS = 30_000
// Idle sessions use memory, and so do the caches of old ones. Opening a session takes only milliseconds.
const IDLE_MS = 20_000
const LIFETIME_MS = 30 * 60_000
// The time that running statements have to finish when the tracker stops.
const END_MS = 2000

/** Thrown if no session is free or its connection fails. The codes are PostgREST's. */
export class DatabaseUnavailable extends Error {
  readonly code: 'PGRST001' | 'PGRST003'
  constructor(code: 'PGRST001' | 'PGRST003') {
    super(code === 'PGRST003' ? 'No database session is free.' : 'The connection to the database failed.')
    this.code = code
  }
}

type Run = (...statement: Parameters<ReservedSql['unsafe']>) => Promise<unknown[]>

export interface Session {
  /** Runs a statement. Statements started at the same time are pipelined. */
  run: Run
  release: () => void
}

/** Connects a driver with one session, which calls `onclose` when its connection closes. */
type Connect = (onclose: () => void) => Sql

export type Sessions = ReturnType<typeof createSessions>

interface Options {
  /** How long a request waits for a session. */
  waitMs?: number
  /** Statements that each new session runs first. */
  setUp?: string
}

/**
 * Shares at most `max` sessions. The driver's own pool loses sessions that break while in use, fail to connect, or get a value
 * that the driver can't encode. So each session has its own driver, and both are closed together.
 */
export function createSessions(
  connect: Connect,
  max: number,
  { waitMs = WAIT_MS, setUp = '' }: Options = {},
) {
  const permits = createSemaphore(max)
  const open = new Set<Connection>()
  const idle: Connection[] = []

  async function useConnection(): Promise<Connection> {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.idleTimer)
      if (open.has(last)) return last
    }
    const connection = openConnection(connect, () => open.delete(connection))
    open.add(connection)
    await connection.connected(setUp)
    return connection
  }

  function putBack(connection: Connection): void {
    if (performance.now() - connection.openedAt > LIFETIME_MS) return connection.close()
    connection.idleTimer = setTimeout(() => connection.close(), IDLE_MS).unref()
    idle.push(connection)
  }

  return {
    /** Returns a free session. Throws DatabaseUnavailable if none is free after a few seconds. */
    async take(): Promise<Session> {
      await permits.acquire(waitMs)
      try {
        const connection = await useConnection()
        return {
          run: connection.run,
          release() {
            putBack(connection)
            permits.release()
          },
        }
      } catch (error) {
        permits.release()
        throw error
      }
    },
    async end(): Promise<void> {
      // Holding every permit means that no session is in use.
      await Promise.allSettled(Array.from({ length: max }, () => permits.acquire(END_MS)))
      for (const connection of open) connection.close()
    },
  }
}

interface Connection {
  openedAt: number
  idleTimer?: NodeJS.Timeout
  connected(setUp: string): Promise<void>
  run: Run
  close(): void
}

function openConnection(connect: Connect, onClosed: () => void): Connection {
  const pending = new Set<(error: Error) => void>()
  let isOpen = true
  const driver = connect(close)
  const reserving = driver.reserve()
  let session: ReservedSql

  function close(): void {
    if (!isOpen) return
    isOpen = false
    onClosed()
    for (const reject of pending) reject(new DatabaseUnavailable('PGRST001'))
    // Wait until the driver is connected. Ending it earlier would reject an internal promise that can't be handled.
    void reserving.catch(() => undefined).then(() => driver.end({ timeout: 0 }))
  }

  /** Waits for the driver's answer, or for the connection to close, after which the driver may never answer. */
  function answer<T>(work: PromiseLike<T>, limitMs: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timeout = setTimeout(close, limitMs)
    pending.add(reject)
    work.then(resolve, (error: Error) => {
      reject(isConnectionError(error) ? new DatabaseUnavailable('PGRST001') : error)
      // If the driver itself failed, statements sent with this one may never be answered.
      if (!(error instanceof postgres.PostgresError)) close()
    })
    return promise.finally(() => {
      clearTimeout(timeout)
      pending.delete(reject)
    })
  }

  return {
    openedAt: performance.now(),
    async connected(setUp) {
      try {
        session = await answer(reserving, CONNECT_MS)
        await answer(session.unsafe(setUp), CONNECT_MS)
      } catch (error) {
        close()
        throw error
      }
    },
    async run(...statement) {
      if (!isOpen) throw new DatabaseUnavailable('PGRST001')
      return answer(session.unsafe(...statement), STATEMENT_MS)
    },
    close,
  }
}

// Error codes of the driver, Node.js and PostgreSQL for failed connections, restarts and too many connections.
const CONNECTION_CODES =
  /^(?:CONNECT|ECONN|EPIPE|ENOENT|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_|08|57P0[1-5]|53300)/

/** Returns whether a connection failed or broke. PostgreSQL closes a connection after any error with the severity FATAL. */
export const isConnectionError = ({ code = '', severity }: Error & { code?: string; severity?: string }) =>
  severity === 'FATAL' || CONNECTION_CODES.test(code)

/** Lets `max` callers proceed. Further callers wait in order. */
function createSemaphore(max: number) {
  const waiting: (() => void)[] = []
  let free = max
  return {
    async acquire(limitMs: number): Promise<void> {
      if (free > 0) {
        free--
        return
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timeout = setTimeout(() => {
        waiting.splice(waiting.indexOf(resolve), 1)
        reject(new DatabaseUnavailable('PGRST003'))
      }, limitMs)
      waiting.push(resolve)
      await promise
      clearTimeout(timeout)
    },
    release(): void {
      const first = waiting.shift()
      if (first) first()
      else free++
    },
  }
}
