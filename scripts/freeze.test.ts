import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compareReleased } from './freeze.ts'

test('released migrations never change, and no new one comes before them', async () => {
  const compared = await compareReleased()
  const released = compared.filter((migration) => migration.released !== undefined)
  expect(released.filter((migration) => migration.present !== migration.released)).toEqual([])
  expect(compared.slice(0, released.length)).toEqual(released)
})

test('notices changed, removed and new migrations', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  const list = path.join(folder, 'list')
  const [first] = await compareReleased()
  await writeFile(list, `00  ${first!.file}\n01  19700101000000_gone.sql\n`)
  const [gone, changed, added] = await compareReleased(list)
  expect(gone).toEqual({ file: '19700101000000_gone.sql', released: '01', present: undefined })
  expect(changed).toEqual({ ...first, released: '00' })
  expect(added!.released).toBeUndefined()
  await rm(folder, { recursive: true })
})
