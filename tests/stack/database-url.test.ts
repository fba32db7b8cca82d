import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { FunctionsHttpError } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { countRows, signIn } from '../owner.ts'
import { createEmpty, prepareSample, prepareTracker, startPrepared } from '../postgres.ts'
import { startAndWaitForExit } from '../running.ts'
import { command } from './commands.ts'

test("runs on the owner's PostgreSQL without starting one, and cleans up", async () => {
  const prepared = await prepareTracker()
  const { TRACKER_DATA_DIR: folder, DATABASE_URL } = prepared.environment
  const sql = connect(DATABASE_URL)
  await sql`
    insert into auth.audit_log_entries (id, payload, created_at)
    values (gen_random_uuid(), '{"old": true}', now() - interval '31 days')`
  const stack = await startPrepared(prepared)
  const processes = execFileSync('ps', ['-o', 'comm=', '--ppid', String(stack.pid)], { encoding: 'utf8' })
  expect(processes.trim()).toBe('deno')
  expect((await readdir(folder)).toSorted()).toEqual([
    'running.json',
    'sample-keys.json',
    'sample-log-seeded',
  ])
  expect(await sql`select from auth.audit_log_entries where payload->>'old' = 'true'`).toHaveLength(0)
  await sql.end()
  const owner = await signIn(stack.url)
  expect(await countRows(owner, 'rides')).toBeGreaterThan(1000)

  const second = await startAndWaitForExit({ DATABASE_URL, TRACKER_DATA_DIR: path.join(folder, 'second') })
  expect(second).toEqual({ code: 1, output: expect.stringMatching(/^[^\n]+\.\n$/) })
  expect(second.output).toContain('The database at DATABASE_URL is in use by another tracker')

  const file = path.join(folder, 'backup.json')
  expect((await command('backup', [file], prepared.environment)).output).toContain('Backed up 4 bikes')
  await owner.from('maintenance').delete().gt('id', 0)
  const restored = await command('restore', [file, '--replace'], prepared.environment)
  expect(restored.output).toContain('Restored 4 bikes')
  expect(await countRows(owner, 'maintenance')).toBeGreaterThan(20)
  expect((await stack.stop()).code).toBe(0)
})

test('answers from memory or with 503 while the database accepts no connections, and then goes on', async () => {
  const prepared = await prepareSample()
  const stack = await startPrepared(prepared)
  const { url } = stack
  const owner = await signIn(url)
  const config = async () => {
    const response = await fetch(`${url}/config.json`)
    return [response.status, await response.json()]
  }
  const before = await config()
  expect(before).toEqual([200, expect.objectContaining({ demoAccount: expect.anything() })])

  const name = new URL(prepared.environment.DATABASE_URL).pathname.slice(1)
  const { url: elsewhere, drop } = await createEmpty()
  const admin = connect(elsewhere)
  await admin.unsafe(`alter database ${name} allow_connections false`)
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  expect(await config()).toEqual(before)
  const read = await owner.from('bikes').select('name')
  expect([read.status, read.error]).toEqual([503, expect.objectContaining({ code: 'PGRST001' })])
  for (const name of ['update-rides', 'garage']) {
    const { error } = await owner.functions.invoke(name, { body: {} })
    const response = (error as FunctionsHttpError).context as Response
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'database_unavailable' }),
    ])
  }

  await admin.unsafe(`alter database ${name} allow_connections true`)
  await expect.poll(async () => (await owner.from('bikes').select('name')).status).toBe(200)
  await admin.end()
  const { output } = await stack.stop()
  expect(output).not.toContain(' at ')
  await drop()
})
