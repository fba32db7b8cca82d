import { execFileSync, spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../owner.ts'
import { start, startAndEnd, temporaryFolder, type Running } from '../running.ts'

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
  if (mounted) execFileSync('umount', [folder])
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

/** Takes all room but the last so many megabytes. */
async function fillUp(file: string): Promise<void> {
  const filler = await open(file, 'w')
  const megabyte = Buffer.alloc(2 ** 20)
  for (;;) {
    const written = await filler.write(megabyte).catch(() => ({ bytesWritten: 0 }))
    if (written.bytesWritten < megabyte.length) break
  }
  await filler.close()
}

test('a disk that fills up keeps what was saved, refuses the rest, and a start with room goes on', async (context) => {
  // embedded/room.test.ts proves the refusals without a disk of its own.
  if (!mounted) context.skip('Only root may mount a small disk.')
  const environment = { TRACKER_DATA_DIR: path.join(folder, 'data') }
  const filler = path.join(folder, 'filler')
  const stack = await startHere(environment)
  const owner = await signIn(stack.url)
  const { data: bike } = await owner.from('bikes').select('gear_id').limit(1).single()
  const save = (name: string) =>
    owner.from('maintenance').insert({ bikeId: bike!.gear_id, name, dateStarted: '2026-01-01 01:00:00' })

  expect((await save('saved')).error).toBeNull()
  await fillUp(filler)
  expect(await save('refused')).toMatchObject({ status: 507, error: { code: '53100' } })
  const mine = owner.from('maintenance').select('name').in('name', ['saved', 'refused', 'later'])
  expect((await mine).data).toEqual([{ name: 'saved' }])
  await stack.stop('SIGKILL')

  const full = await startAndEnd(environment)
  expect(full.code).toBe(1)
  expect(full.output).toMatch(/^The data folder [^\n]+ cannot be written \(ENOSPC\)[^\n]+\.\n$/)

  await rm(filler)
  mount(folder, 'remount,ro')
  const readOnly = await startAndEnd(environment)
  mount(folder, 'remount,rw')
  expect(readOnly.code).toBe(1)
  expect(readOnly.output).toMatch(/^The data folder [^\n]+ cannot be written \(EROFS\)[^\n]+\.\n$/)

  const again = await signIn((await startHere(environment)).url)
  expect((await again.from('maintenance').select('name').in('name', ['saved', 'refused'])).data).toEqual([
    { name: 'saved' },
  ])
})
