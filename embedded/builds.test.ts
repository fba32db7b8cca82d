import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../tests/running.ts'

test('builds once per state of the sources, and keeps no build that failed', async () => {
  const { folder: clone, remove } = await temporaryFolder()
  await cp('embedded/builds.js', path.join(clone, 'embedded/builds.js'))
  const file = pathToFileURL(path.join(clone, 'embedded/builds.js')).href
  const { upToDate } = (await import(/* @vite-ignore */ file)) as typeof import('./builds.js')

  const write = (name: string, text: string) => writeFile(path.join(clone, name), text)
  const build = vi.fn<(to: string) => Promise<void>>(async (to) => {
    await mkdir(to, { recursive: true })
    await writeFile(path.join(to, 'built'), await readFile(path.join(clone, 'embedded/one.ts')))
  })
  const built = async (place?: string) =>
    readFile(path.join(await upToDate('server', ['embedded/*.ts'], build, place), 'built'), 'utf8')

  await write('embedded/one.ts', 'first')
  expect(await built()).toBe('first')
  await write('embedded/one.test.ts', 'tests are no sources')
  expect(await built()).toBe('first')
  expect(build).toHaveBeenCalledTimes(1)

  await write('embedded/one.ts', 'second')
  build.mockRejectedValueOnce(new Error('interrupted'))
  await expect(built()).rejects.toThrow('interrupted')
  expect(await built()).toBe('second')
  expect(await built('elsewhere')).toBe('second')
  expect(build).toHaveBeenCalledTimes(4)
  expect(await readdir(path.join(clone, 'node_modules/.cache/server'))).toHaveLength(3)
  await remove()
})
