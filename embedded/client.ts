import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js')
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'hosting/**/*',
  'public/**/*',
  'src/**/*',
]
const BUILDS = path.join(ROOT, 'node_modules/.cache/client')

/** The folder of the built client; built only when its sources changed since. */
export async function builtClient(): Promise<string> {
  const folder = path.join(BUILDS, await digestOfSources())
  if (existsSync(folder)) return folder
  // Under another name first, so that a build that was cut short, or one beside it, is never served.
  const unfinished = `${folder}.${process.pid}`
  // In a process of its own, whose memory goes when it is done; always for production, and for no host, whatever is set
  // where the stack runs.
  const env = { ...process.env, NODE_ENV: 'production', SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' }
  await promisify(execFile)(process.execPath, [VITE, 'build', '--outDir', unfinished, '--emptyOutDir'], {
    cwd: ROOT,
    env,
  })
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

async function digestOfSources(): Promise<string> {
  const files = (await Array.fromAsync(glob(SOURCES, { cwd: ROOT, withFileTypes: true })))
    .filter((file) => file.isFile() && !/\.test\.tsx?$/.test(file.name))
    .map((file) => path.join(file.parentPath, file.name))
    .toSorted()
  const digest = createHash('sha256')
  for (const file of files) digest.update(path.relative(ROOT, file)).update(await readFile(file))
  return digest.digest('hex').slice(0, 16)
}
