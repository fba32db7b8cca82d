import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isPackage, ROOT } from './installation.ts'

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

/** Returns the folder of the built client. A clone builds it if its sources have changed. */
export async function builtClient(): Promise<string> {
  if (isPackage) return path.join(ROOT, 'build/client')
  const folder = path.join(BUILDS, await digestOfSources())
  if (existsSync(folder)) return folder
  // Build under a temporary name, so an interrupted or parallel build is never served.
  const unfinished = `${folder}.${process.pid}`
  // A separate process frees its memory when it ends. Always build for production and for this stack, whatever the
  // environment says.
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
