import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, glob, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { commandLine, isPackage, ROOT } from './installation.ts'
import { StartError } from './settings.ts'

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

/** Returns the folder of the built client. In a clone, first builds the client if its sources have changed. */
export async function buildClient(): Promise<string> {
  if (isPackage) return path.join(ROOT, 'build/client')
  const folder = path.join(BUILDS, await digestOfSources())
  if (existsSync(folder)) return folder
  await requireBuildable()
  // Build under a temporary name, so an interrupted or parallel build is never served.
  const unfinished = `${folder}.${process.pid}`
  // Build in a separate process, so its memory is freed afterwards. Always build for production and this stack, regardless of
  // the environment.
  const env = { ...process.env, NODE_ENV: 'production', SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' }
  const build = [VITE, 'build', '--outDir', unfinished, '--emptyOutDir']
  await promisify(execFile)(process.execPath, build, { cwd: ROOT, env }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new StartError(`The client can't be built.\n${stderr.trim()}`)
    },
  )
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

/** Throws a StartError if this user can't build the client, for example because root installed the clone. */
async function requireBuildable(): Promise<void> {
  const modules = path.join(ROOT, 'node_modules')
  await access(modules, constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartError(
      `The client isn't built yet, and this user can't write to ${modules} (${code}). Run ${commandLine('start')} once as the user who installed the tracker, or install it in a folder of your own with npm ci.`,
    )
  })
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
