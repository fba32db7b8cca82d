import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findDeno } from '../embedded/functions.ts'
import { bundleFunctions } from './bundle.ts'

test('Deno parses a function only once it is used', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  const { output } = await bundleFunctions(folder)
  const entries = output.flatMap((chunk) =>
    chunk.type === 'chunk' && (chunk.isEntry || chunk.isDynamicEntry) ? chunk.fileName : [],
  )
  const program = path.join(folder, 'functions.js')
  const { stdout } = await promisify(execFile)(findDeno(), ['info', '--json', '--no-config', program])
  const { modules } = JSON.parse(stdout) as { modules: { specifier: string }[] }
  const parsed = new Set(modules.map(({ specifier }) => path.posix.basename(specifier)))
  expect(entries.length).toBeGreaterThan(10)
  expect(entries.filter((file) => parsed.has(file))).toEqual(['functions.js'])
  // Loading it takes a quarter of a start.
  expect(parsed.has('node:crypto')).toBe(false)
  await rm(folder, { recursive: true })
})
