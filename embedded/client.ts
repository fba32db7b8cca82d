import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { upToDate } from './builds.js'
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

/** Returns the folder of the built client. In a clone, first builds the client if its sources have changed. */
export async function buildClient(): Promise<string> {
  if (isPackage) return path.join(ROOT, 'build/client')
  return upToDate('client', SOURCES, build)
}

async function build(folder: string): Promise<void> {
  await requireBuildable()
  // Build in a separate process, so its memory is freed afterwards. Always build for production and this stack, regardless of
  // the environment.
  const env = { ...process.env, NODE_ENV: 'production', SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' }
  const args = [VITE, 'build', '--outDir', folder, '--emptyOutDir']
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new StartError(`The client can't be built.\n${stderr.trim()}`)
    },
  )
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
