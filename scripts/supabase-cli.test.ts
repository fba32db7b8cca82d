import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { supabaseCli } from './supabase-cli.ts'

let folder: string
let cache: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  cache = path.join(folder, 'cache')
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** Replaces npm by a script. */
async function useNpm(script: string): Promise<void> {
  const file = path.join(folder, 'npm.mjs')
  await writeFile(file, script)
  vi.stubEnv('npm_execpath', file)
  vi.stubEnv('npm_node_execpath', undefined)
}

const INSTALL = `
import { cpSync } from 'node:fs'
cpSync('package-lock.json', 'node_modules/supabase/dist/supabase.js')`

test('downloads the locked Supabase CLI once, even for two processes at the same time', async () => {
  await useNpm(INSTALL)
  const [file, other] = await Promise.all([supabaseCli(cache), supabaseCli(cache)])
  expect(other).toBe(file)
  expect(await readFile(file, 'utf8')).toBe(await readFile('scripts/supabase-cli/package-lock.json', 'utf8'))
  expect(await readdir(cache)).toHaveLength(1)
  await useNpm('throw new Error()')
  expect(await supabaseCli(cache)).toBe(file)
})

test('says why a download failed, and tries again on the next use', async () => {
  await useNpm(`
    console.error('npm error network request to https://npm.example/supabase failed, reason: getaddrinfo ENOTFOUND')
    process.exitCode = 1`)
  await expect(supabaseCli(cache)).rejects.toThrow(
    'The Supabase CLI could not be downloaded (getaddrinfo ENOTFOUND). Check the network, then try again.',
  )
  expect(await readdir(cache)).toEqual([])
  await useNpm(INSTALL)
  expect(await supabaseCli(cache)).toContain(cache)
})
