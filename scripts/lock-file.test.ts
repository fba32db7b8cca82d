import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { LIGHTHOUSE_LOCK_FILE, LOCK_FILE, missingPackages, type Lock } from './lock-file.ts'

describe.each([
  ['the product', LOCK_FILE],
  ['Lighthouse', LIGHTHOUSE_LOCK_FILE],
])('of %s', async (_, lockFile) => {
  const text = await readFile(lockFile, 'utf8')
  const manifest = JSON.parse(await readFile(new URL('package.json', lockFile), 'utf8'))

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
})
