// Runs `npm start` from a bundle, as the package does, so it loads one file instead of 600 and needs less memory. Plain
// JavaScript, so Node.js doesn't load its TypeScript compiler.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { upToDate } from './builds.js'

const SOURCES = [
  '{embedded,hosting,sample,supabase/functions}/**/*.{js,ts}',
  'src/lib/**/*.ts',
  'scripts/bundle.ts',
  'package-lock.json',
]
const BUNDLE = path.join(import.meta.dirname, '../scripts/bundle.ts')
const parent = process.ppid
/** @param {string} folder */
async function build(folder) {
  // Separate processes, so their memory is freed afterwards.
  for (const program of ['start', 'functions'])
    await promisify(execFile)(process.execPath, [BUNDLE, program, folder])
}
// The bundle contains this folder's path.
const bundled = await upToDate('server', SOURCES, build, import.meta.dirname)
  .then((folder) => path.join(folder, 'start.js'))
  // The sources say what is wrong, such as that this user can't build the client, either.
  .catch(() => path.join(import.meta.dirname, 'start.ts'))
// The tracker would only notice later that npm was killed.
if (process.ppid === parent) await import(pathToFileURL(bundled).href)
