import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PDF } from '../../supabase/functions/_shared/files/testing.ts'
import { signIn } from '../owner.ts'
import { start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
let mounted: boolean
const running: Running[] = []

beforeAll(async () => {
  ;({ folder, remove } = await temporaryFolder())
  mounted = mount(folder, 'size=120m')
})
afterAll(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  // Unmount lazily, because PostgreSQL may still be shutting down.
  if (mounted) execFileSync('umount', ['-l', folder])
  await remove()
})

function mount(at: string, options: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tracker-test', at]).status === 0
}

async function startHere(environment: Record<string, string>): Promise<Running> {
  const stack = await start(environment)
  running.push(stack)
  return stack
}

async function fillUp(file: string): Promise<void> {
  const filler = await open(file, 'w')
  for (const block of [Buffer.alloc(2 ** 20), Buffer.alloc(2 ** 12)]) {
    let bytesWritten: number
    do ({ bytesWritten } = await filler.write(block).catch(() => ({ bytesWritten: 0 })))
    while (bytesWritten === block.length)
  }
  await filler.close()
}

test('with a full disk, saving fails but reading, signing in and backing up work', async (context) => {
  if (!mounted) context.skip('Only root can mount a small disk.')
  const environment = { TRACKER_DATA_DIR: path.join(folder, 'data') }
  const filler = path.join(folder, 'filler')
  const elsewhere = await temporaryFolder()
  const backUp = (name: string) => command('backup', [path.join(elsewhere.folder, name)], environment)
  const stack = await startHere(environment)
  const owner = await signIn(stack.url)
  const { data: bike } = await owner.from('bikes').select('gear_id').limit(1).single()
  const save = (name: string) =>
    owner.from('maintenance').insert({
      bikeId: bike!.gear_id,
      name,
      // Too long for the free space in the table's pages.
      description: randomBytes(4000).toString('hex'),
      dateStarted: '2026-01-01 01:00:00',
    })
  const addPhoto = async (key: string) => {
    const [{ data: item }, { data: auth }] = await Promise.all([
      owner.from('maintenance').select('id').limit(1).single(),
      owner.auth.getSession(),
    ])
    const query = new URLSearchParams({ item_id: String(item!.id), name: 'Receipt.pdf', key })
    return fetch(`${stack.url}/functions/v1/files?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${auth.session!.access_token}` },
      body: Buffer.concat([PDF, randomBytes(1_000_000)]),
    })
  }
  const saved = async (client: typeof owner) =>
    (await client.from('maintenance').select('name').in('name', ['saved', 'refused'])).data

  expect((await save('saved')).error).toBeNull()
  await fillUp(filler)
  for (let tries = 0; tries < 20; tries++) {
    expect(await save('refused')).toMatchObject({ status: 507, error: { code: '53100' } })
  }
  const photo = await addPhoto(randomUUID())
  expect([photo.status, await photo.json()]).toMatchObject([507, { code: 'disk_full' }])
  expect((await owner.from('entry_files').select('id')).data).toEqual([])
  expect((await backUp('running.json')).output).toContain('Backed up 4 bikes')
  const restored = await command(
    'restore',
    [path.join(elsewhere.folder, 'running.json'), '--replace'],
    environment,
  )
  expect(restored.output).toMatch(/^The data folder [^\n]+ can't be written to \(ENOSPC\)[^\n]+\.\n$/)
  expect(await saved(owner)).toEqual([{ name: 'saved' }])
  // More sessions than the existing pages of Auth's tables can hold.
  for (let tries = 0; tries < 24; tries++) expect((await owner.auth.refreshSession()).error).toBeNull()
  expect(await saved(owner)).toEqual([{ name: 'saved' }])
  expect(await saved(await signIn(stack.url))).toEqual([{ name: 'saved' }])
  await stack.stop('SIGKILL')

  const full = await startAndWaitForExit(environment)
  expect(full.code).toBe(1)
  expect(full.output).toMatch(/^The data folder [^\n]+ can't be written to \(ENOSPC\)[^\n]+\.\n$/)
  expect((await backUp('full.json')).output).toContain('Backed up 4 bikes')

  await rm(filler)
  mount(folder, 'remount,ro')
  const readOnly = await startAndWaitForExit(environment)
  const readOnlyBackup = await backUp('read-only.json')
  mount(folder, 'remount,rw')
  expect(readOnly.output).toMatch(/^The data folder [^\n]+ can't be written to \(EROFS\)[^\n]+\.\n$/)
  expect(readOnlyBackup.output).toContain('Backed up 4 bikes')
  await elsewhere.remove()

  const again = await signIn((await startHere(environment)).url)
  expect(await saved(again)).toEqual([{ name: 'saved' }])
})
