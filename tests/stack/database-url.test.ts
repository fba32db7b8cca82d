import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { countRows, signIn } from '../owner.ts'
import { createEmpty, type CreatedDatabase } from '../postgres.ts'
import { start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
let database: CreatedDatabase
let running: Running[]

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  database = await createEmpty()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  await Promise.all([database.drop(), remove()])
})

const dataFolder = () => path.join(folder, 'data')
const environment = () => ({ TRACKER_DATA_DIR: dataFolder(), DATABASE_URL: database.url })
const oneMessage = /^[^\n]+\.\n$/

test("runs on the owner's PostgreSQL without starting one", async () => {
  const stack = await start(environment())
  running.push(stack)
  const processes = execFileSync('ps', ['-o', 'comm=', '--ppid', String(stack.pid)], { encoding: 'utf8' })
  expect(processes.trim()).toBe('deno')
  expect((await readdir(dataFolder())).toSorted()).toEqual([
    'running.json',
    'sample-keys.json',
    'sample-log-seeded',
  ])
  const owner = await signIn(stack.url)
  expect(await countRows(owner, 'rides')).toBeGreaterThan(1000)

  const second = await startAndWaitForExit({
    ...environment(),
    TRACKER_DATA_DIR: path.join(folder, 'second'),
  })
  expect(second).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(second.output).toContain('The database at DATABASE_URL is in use by another tracker')

  const file = path.join(folder, 'backup.json')
  expect((await command('backup', [file], environment())).output).toContain('Backed up 4 bikes')
  await owner.from('maintenance').delete().gt('id', 0)
  expect((await command('restore', [file, '--replace'], environment())).output).toContain('Restored 4 bikes')
  expect(await countRows(owner, 'maintenance')).toBeGreaterThan(20)
  expect((await stack.stop()).code).toBe(0)

  const sql = connect(database.url)
  await sql`update auth.audit_log_entries set created_at = now() - interval '31 days'`
  running.push(await start(environment()))
  expect(await sql`select from auth.audit_log_entries`).toHaveLength(0)
  await sql.end()
})

test('reports an unreachable database without printing its password', async () => {
  const url = 'postgresql://owner:secret-word@127.0.0.1:9/tracker'
  const { code, output } = await startAndWaitForExit({ ...environment(), DATABASE_URL: url })
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain("The database at DATABASE_URL can't be reached: connect ECONNREFUSED")
  expect(output).not.toContain('secret-word')
})

test("rejects a Supabase project's database", async () => {
  const sql = connect(database.url)
  await sql.unsafe('create schema auth; create table auth.schema_migrations (version text)')
  await sql.end()
  const { code, output } = await startAndWaitForExit(environment())
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain('points to a Supabase project')
})
