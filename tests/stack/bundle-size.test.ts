import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { builtClient } from '../../embedded/client.ts'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

// Compressed bytes of JavaScript and CSS. Before sign-in, React, Jotai and the Auth client make up 110,000 of them.
const budget: Record<'before sign-in' | 'main screen' | 'a lazy chunk', number> = JSON.parse(
  await readFile(new URL('../../bundle-budget.json', import.meta.url), 'utf8'),
)

let folder: string
let manifest: Record<string, Chunk>
let beforeSignIn: Set<string>
let mainScreen: Set<string>

beforeAll(async () => {
  folder = await builtClient()
  manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8'))
  beforeSignIn = filesOf('index.html')
  mainScreen = filesOf('src/app/MainScreen.tsx', new Set(beforeSignIn))
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

function filesOf(name: string, files = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = manifest[name]!
  if (files.has(file)) return files
  for (const loaded of [file, ...css]) files.add(loaded)
  for (const next of imports) filesOf(next, files)
  return files
}

async function sizeOf(files: Iterable<string>): Promise<number> {
  let size = 0
  for (const file of files) size += gzipSync(await readFile(path.join(folder, file)), { level: 9 }).length
  return size
}
