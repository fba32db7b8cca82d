import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { type Lock, LOCK_FILES, missingPackages } from './lock-file.ts'
import cliJson from './supabase-cli/package.json' with { type: 'json' }

describe.each(LOCK_FILES)('%s', async (file) => {
  const text = await readFile(file, 'utf8')

  test('lists every optional package, or npm ci would refuse it (fix: npm run lock)', () => {
    expect(missingPackages(JSON.parse(text) as Lock)).toEqual({})
  })

  test('contains no URLs', () => {
    expect(text).not.toContain('"resolved"')
  })
})

test('every dependency is pinned to an exact version', () => {
  const { devDependencies, optionalDependencies } = packageJson
  const versions: string[] = Object.values({
    ...devDependencies,
    ...optionalDependencies,
    ...cliJson.dependencies,
  })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})

test('the package contains its libraries, so npm only installs PostgreSQL, Deno and Node.js with it', () => {
  expect(packageJson).not.toHaveProperty('dependencies')
})
