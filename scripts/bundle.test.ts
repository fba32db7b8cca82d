import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findDeno } from '../embedded/functions.ts'
import { bundleFunctions } from './bundle.ts'

test('Deno parses what assistants need only once it is used', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  const { output } = await bundleFunctions(folder)
  const program = path.join(folder, 'functions.js')
  const { stdout } = await promisify(execFile)(findDeno(), ['info', '--json', '--no-config', program])
  const { modules } = JSON.parse(stdout) as { modules: { specifier: string }[] }
  const parsed = modules.map(({ specifier }) => path.posix.basename(specifier))
  const others = output.map(({ fileName }) => fileName).filter((file) => !parsed.includes(file))
  expect(parsed).toContain('functions.js')
  expect(others).toEqual([expect.stringMatching(/^mcp-/)])
  await rm(folder, { recursive: true })
})
