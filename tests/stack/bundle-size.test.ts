import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { builtClient } from '../../embedded/client.ts'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

// React, Jotai and the Auth client weigh 120 of them.
const MOST_BEFORE_SIGN_IN = 135_000

test('what is loaded before signing in stays small', async () => {
  const folder = await builtClient()
  const manifest: Record<string, Chunk> = JSON.parse(
    await readFile(path.join(folder, '.vite/manifest.json'), 'utf8'),
  )
  const sizes = await Promise.all(
    [...filesOf(manifest, 'index.html')].map(
      async (file) => gzipSync(await readFile(path.join(folder, file)), { level: 9 }).length,
    ),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(MOST_BEFORE_SIGN_IN)
})

/** The files of a chunk and of all that it imports at once. */
function filesOf(manifest: Record<string, Chunk>, name: string, files = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = manifest[name]!
  if (files.has(file)) return files
  for (const one of [file, ...css]) files.add(one)
  for (const next of imports) filesOf(manifest, next, files)
  return files
}
