import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { LOCK_FILE, missingPackages, type Lock } from './lock-file.ts'

const text = await readFile(LOCK_FILE, 'utf8')
const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))

test('the lock file names every optional package, so that npm ci takes it (npm run lock adds what is missing)', () => {
  expect(missingPackages(JSON.parse(text) as Lock)).toEqual({})
})

test('the lock file holds no address', () => {
  expect(text).not.toContain('"resolved"')
})

test('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const versions: string[] = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})
