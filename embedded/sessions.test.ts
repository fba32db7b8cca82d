import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createMigrated, type CreatedDatabase } from '../tests/postgres.ts'
import { connect } from './postgres/connect.ts'
import { createSessions, DatabaseUnavailable, type Sessions } from './sessions.ts'

let database: CreatedDatabase
let url: string
let sessions: Sessions

beforeAll(async () => {
  database = await createMigrated()
})
afterEach(() => sessions.end())
afterAll(() => database.drop())

function open(): void {
  url = database.url
  sessions = createSessions((onclose) => connect(url, 1, { onclose }), 2, { waitMs: 50 })
}

/** Uses every session. Fails if one was lost. */
async function useAll(): Promise<unknown> {
  const taken = [await sessions.take(), await sessions.take()]
  return Promise.all(taken.map(({ run }) => run('select 1 as n'))).finally(() => {
    for (const session of taken) session.release()
  })
}
const ALL = [[{ n: 1 }], [{ n: 1 }]]

test('waiting for a session times out, and the next wait succeeds', async () => {
  open()
  const taken = [await sessions.take(), await sessions.take()]
  await expect(sessions.take()).rejects.toEqual(new DatabaseUnavailable('PGRST003'))
  const waiting = sessions.take()
  taken[0]!.release()
  ;(await waiting).release()
  taken[1]!.release()
})

test.each([
  ['a value that the driver rejects', [[[Symbol('value')]]]],
  ['a value nested too deeply for the driver', [[JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))]]],
  ['too many values', [Array.from({ length: 70_000 }, () => 1)]],
])('every session still works after %s', async (_, [values]) => {
  open()
  for (let attempt = 0; attempt < 3; attempt++) {
    const session = await sessions.take()
    const sent = [
      session.run('select set_config($1, $2, true)', ['a.b', 'c'], { prepare: true }),
      session.run(`select ${values!.map((_, index) => `$${index + 1}`).join()}`, values as never[]),
    ]
    expect((await Promise.allSettled(sent)).at(-1)!.status).toBe('rejected')
    session.release()
  }
  expect(await useAll()).toEqual(ALL)
})

test('a session whose connection breaks rejects all its statements and is replaced', async () => {
  open()
  const session = await sessions.take()
  const [row] = (await session.run('select pg_backend_pid() as pid')) as { pid: number }[]
  const running = [session.run('select pg_sleep($1)', [60]), session.run('select $1::text', ['x'])]
  const rejected = Promise.allSettled(running)
  const other = await sessions.take()
  await other.run('select pg_terminate_backend($1)', [row!.pid])
  other.release()
  for (const result of await rejected) {
    expect(result).toMatchObject({ status: 'rejected', reason: new DatabaseUnavailable('PGRST001') })
  }
  await expect(session.run('select 1')).rejects.toEqual(new DatabaseUnavailable('PGRST001'))
  session.release()
  expect(await useAll()).toEqual(ALL)
})

test('an idle session whose connection breaks is replaced', async () => {
  open()
  const session = await sessions.take()
  session.release()
  const sql = connect(url)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  await sql.end()
  // The driver may need a moment to notice the broken connection.
  await expect.poll(() => useAll().catch(() => undefined)).toEqual(ALL)
})

test('recovers when the server can be reached again', async () => {
  open()
  url = 'postgresql://postgres@127.0.0.1/none?host=/nonexistent'
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(sessions.take()).rejects.toEqual(new DatabaseUnavailable('PGRST001'))
  }
  url = database.url
  expect(await useAll()).toEqual(ALL)
})
