import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn } from '../owner.ts'
import { start, startAndEnd, temporaryFolder, type Running } from '../running.ts'
import { copyProject, type Project } from './project.ts'

let project: Project
let folder: string
let remove: () => Promise<void>
let running: Running[]

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  project = await copyProject()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  await Promise.all([remove(), project.remove()])
})

async function startHere(): Promise<Running> {
  const stack = await start({ TRACKER_DATA_DIR: folder }, project.root)
  running.push(stack)
  return stack
}
const startAndFail = () => startAndEnd({ TRACKER_DATA_DIR: folder }, project.root)
const backups = async () => (await readdir(folder)).filter((file) => file.includes('backup'))

async function logOf(stack: Running) {
  const { data } = await (await signIn(stack.url)).from('maintenance').select('id, name').order('id')
  return data
}

const database = () => path.join(folder, 'sample')
const oneSentence = /^[^\n]+\.\n$/

test('an upgrade is backed up first; one that fails is named and changes nothing; the way back is refused', async () => {
  const before = await startHere()
  const log = await logOf(before)
  expect(log!.length).toBeGreaterThan(20)
  await before.stop()
  expect(await backups()).toEqual([])

  await project.addMigration(
    '20990101000000_add_colour.sql',
    'alter table public.bikes add column colour text;',
  )
  const upgraded = await startHere()
  const [file] = await backups()
  expect(upgraded.output()).toContain(`Backed up before the upgrade: ${path.join(folder, file!)}\n`)
  const backup = JSON.parse(await readFile(path.join(folder, file!), 'utf8'))
  expect(backup.maintenance).toHaveLength(log!.length)
  expect(await logOf(upgraded)).toEqual(log)
  await upgraded.stop()

  await project.addMigration(
    '20990102000000_empty_the_log.sql',
    'delete from public.maintenance; select 1 / 0;',
  )
  const { code, output } = await startAndFail()
  expect(code).toBe(1)
  expect(output.split('\n').slice(1)).toEqual([
    'Migration 20990102000000_empty_the_log failed and was undone: division by zero.',
    '',
  ])
  expect(await backups()).toHaveLength(2)
  await project.removeMigration('20990102000000_empty_the_log.sql')
  const again = await startHere()
  expect(await logOf(again)).toEqual(log)
  await again.stop()

  await project.removeMigration('20990101000000_add_colour.sql')
  const older = await startAndFail()
  expect(older).toEqual({ code: 1, output: expect.stringMatching(oneSentence) })
  expect(older.output).toContain(
    'the migration 20990101000000, which this version of the tracker does not know',
  )
})

test('a database of another PostgreSQL is left alone, in one sentence', async () => {
  await mkdir(database())
  await writeFile(path.join(database(), 'PG_VERSION'), '16\n')
  const { code, output } = await startAndFail()
  expect(code).toBe(1)
  expect(output).toMatch(oneSentence)
  expect(output).toContain('was made by PostgreSQL 16')
  expect(await readdir(database())).toEqual(['PG_VERSION'])
})

test('a damaged database is left alone, in one sentence', async () => {
  await mkdir(database())
  await writeFile(path.join(database(), 'PG_VERSION'), '17\n')
  const { code, output } = await startAndFail()
  expect(code).toBe(1)
  expect(output).toMatch(oneSentence)
  expect(output).toContain('cannot be opened')
  expect(await readdir(database())).toEqual(['PG_VERSION'])
})

test('a first start that was cut short is begun anew', async () => {
  await mkdir(database())
  await writeFile(path.join(database(), 'PG_VERSION'), '17\n')
  await writeFile(`${database()}-unfinished`, '')
  expect((await logOf(await startHere()))!.length).toBeGreaterThan(20)
})
