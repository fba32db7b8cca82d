import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { countRows, signIn } from '../owner.ts'
import { prepareTracker, startPrepared } from '../postgres.ts'
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
