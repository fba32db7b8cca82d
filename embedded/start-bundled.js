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
// A separate process, so its memory is freed afterwards.
/** @param {string} folder */
const build = (folder) => promisify(execFile)(process.execPath, [BUNDLE, folder])
// The bundle contains this folder's path.
const bundled = await upToDate('server', SOURCES, build, import.meta.dirname)
  .then((folder) => path.join(folder, 'start.js'))
  // The sources say what is wrong, such as that this user can't build the client, either.
  .catch(() => path.join(import.meta.dirname, 'start.ts'))
// The tracker would only notice later that npm was killed.
if (process.ppid === parent) await import(pathToFileURL(bundled).href)
