import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEmpty, type CreatedDatabase } from '../../tests/postgres.ts'
import { connect } from './connect.ts'
import { DatabaseInUse, lock } from './lock.ts'

let database: CreatedDatabase
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createEmpty()
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await database.drop()
})

function open() {
  const sql = connect(database.url)
  ends.push(() => sql.end())
  return sql
}

async function take(onLost?: (error: DatabaseInUse) => void) {
  const session = await lock(database.url, 'The database', onLost)
  ends.push(() => session.end())
  return session
}

const HERE =
  "locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())"

/** Ends the session that holds the lock. Returns its process id. */
async function breakHolder(): Promise<number> {
  const [holder] = await open().unsafe(
    `select pid, pg_terminate_backend(pid) from pg_locks where granted and ${HERE}`,
  )
  return holder!.pid as number
}

test('gives the lock to only one session', async () => {
  await take()
  await expect(take()).rejects.toThrow(DatabaseInUse)
})

test('replaces a broken session and takes the lock again', async () => {
  const onLost = vi.fn<(error: DatabaseInUse) => void>()
  const session = await take(onLost)
  for (let times = 0; times < 3; times++) {
    const pid = await breakHolder()
    const isReplaced = () => session<{ is: boolean }[]>`select pg_backend_pid() <> ${pid} as is`
    await expect.poll(isReplaced).toEqual([{ is: true }])
    await expect(take()).rejects.toThrow(DatabaseInUse)
  }
  expect(onLost).not.toHaveBeenCalled()
})

test('reports that another tracker took the lock first', async () => {
  const lost = Promise.withResolvers<DatabaseInUse>()
  await take(lost.resolve)
  const [other, observer] = [open(), open()]
  // The other session gets the lock as soon as the first session breaks.
  const waiting = other
    .unsafe(`select pg_advisory_lock(objid::bigint) from pg_locks where granted and ${HERE}`)
    .execute()
  await expect
    .poll(() => observer.unsafe(`select from pg_locks where not granted and ${HERE}`))
    .toHaveLength(1)
  await breakHolder()
  await waiting
  expect(await lost.promise).toBeInstanceOf(DatabaseInUse)
})

test.each([0, 1, 5, 20, 100, 250])("ends %d ms after the server can't be reached", async (ms) => {
  const session = await lock(database.url, 'The database')
  const pending = session`select pg_sleep(60)`.catch((error: Error) => error)
  await database.drop()
  await sleep(ms)
  const last = session`select 1`.catch((error: Error) => error)
  await session.end()
  expect([await pending, await last]).toEqual([expect.any(Error), expect.any(Error)])
  database = await createEmpty()
})
