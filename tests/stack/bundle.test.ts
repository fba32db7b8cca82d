import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildClient } from '../../embedded/client.ts'
import { SAMPLE_CREDENTIALS } from '../../sample/server.ts'

interface Chunk {
  file: string
  name?: string
  css?: string[]
  imports?: string[]
}

// Compressed bytes of JavaScript and CSS. Before sign-in, React and Jotai make up 75,000 of them.
const budget: Record<'before sign-in' | 'main screen' | 'a lazy chunk', number> = JSON.parse(
  await readFile(new URL('../../bundle-budget.json', import.meta.url), 'utf8'),
)

let folder: string
let manifest: Record<string, Chunk>
let beforeSignIn: Set<string>
let mainScreen: Set<string>

beforeAll(async () => {
  folder = await buildClient()
  manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8'))
  const page = await readFile(path.join(folder, 'index.html'), 'utf8')
  const linked = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file!)
  beforeSignIn = new Set(linked).union(filesOf(({ file }) => linked.includes(file)))
  mainScreen = beforeSignIn.union(filesOf(({ name }) => name === 'main'))
})

test('few files load before the sign-in screen and the Garage', () => {
  // In addition to these, the page, its settings, its icon and the web app manifest load: at most 12 files in all.
  expect(beforeSignIn.size).toBeLessThanOrEqual(6)
  expect(mainScreen.size).toBeLessThanOrEqual(8)
})

test('nothing delays the script that loads the main screen early', () => {
  const boot = Object.values(manifest).find(({ name }) => name === 'boot')!
  expect([...beforeSignIn]).toContain(boot.file)
  expect(boot.imports).toBe(undefined)
})

test('neither the settings nor all rides load a bike’s page', () => {
  const bike = Object.values(manifest).find(({ name }) => name === 'bike')!
  for (const page of ['Settings', 'rides', 'RidesTable']) {
    const files = filesOf(({ name }) => name === page)
    expect(files.size).toBeGreaterThan(0)
    expect([page, ...files]).not.toContain(bike.file)
  }
})

test('the sign-in screen stays small', async () => {
  const size = await sizeOf(beforeSignIn)
  expect(size).toBeGreaterThan(50_000)
  expect(size).toBeLessThan(budget['before sign-in'])
})

test('the main screen stays small', async () => {
  const size = await sizeOf(mainScreen)
  expect(size).toBeGreaterThan(await sizeOf(beforeSignIn))
  expect(size).toBeLessThan(budget['main screen'])
})

test('lazy chunks stay small', async () => {
  const lazy = Object.values(manifest).filter(({ file }) => !mainScreen.has(file))
  expect(lazy.length).toBeGreaterThan(5)
  for (const { file } of lazy) expect([file, await sizeOf([file])]).toEqual([file, expect.toSatisfy(isSmall)])
})

const isSmall = (size: number) => size < budget['a lazy chunk']

// The sample guide shows these variable names with placeholder values.
const GUIDE = /RWGPS_(?:API_KEY=your-api-key|EMAIL=you@example\.com|PASSWORD='your-password')/g

test('the built client contains no secrets or names of secrets', async () => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')),
  )
  const bundle = texts.join('\n').replaceAll(GUIDE, '')
  expect(bundle).toContain('RWGPS Maintenance Tracker')
  const forbidden = [
    'service_role',
    'SCHEDULE_KEY',
    'x-schedule-key',
    'jwtSecret',
    ...['API_KEY', 'EMAIL', 'PASSWORD', 'AUTH_TOKEN'].map((name) => `RWGPS_${name}`),
    ...Object.values(SAMPLE_CREDENTIALS).filter((value) => value !== 'password'),
  ]
  expect(forbidden.filter((word) => bundle.includes(word))).toEqual([])
  // supabase-js contains the prefix of secret keys, so look for more than the prefix.
  expect(bundle).not.toMatch(/sb_secret_[\w-]{8}/)
})

/** Returns the files of a chunk and of the chunks that it imports. */
function filesOf(isWanted: (chunk: Chunk) => boolean, files = new Set<string>()): Set<string> {
  for (const chunk of Object.values(manifest).filter(isWanted)) {
    const { file, css = [], imports = [] } = chunk
    if (files.has(file)) continue
    for (const loaded of [file, ...css]) files.add(loaded)
    for (const next of imports) filesOf((other) => other === manifest[next], files)
  }
  return files
}

async function sizeOf(files: Iterable<string>): Promise<number> {
  let size = 0
  for (const file of files) size += gzipSync(await readFile(path.join(folder, file)), { level: 9 }).length
  return size
}
