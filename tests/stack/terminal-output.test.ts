import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { ROOT } from '../../embedded/installation.ts'
import { countRows, signIn } from '../owner.ts'
import { BLANK_ENVIRONMENT, launch, temporaryFolder } from '../running.ts'
import { hasTerminal, openTerminal } from './terminal.ts'

const CTRL_C = '\u0003'

let folder: string
let remove: () => Promise<void>
let url: string
let environment: NodeJS.ProcessEnv
beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  const PORT = String(await freePort())
  url = `http://127.0.0.1:${PORT}`
  environment = { ...process.env, ...BLANK_ENVIRONMENT, PORT, TRACKER_DATA_DIR: folder }
})
afterEach(() => remove())

const SYNCED = /^\{"source":"update-rides","event":"rides_updated"/m
const logFile = () => path.join(folder, 'functions.log')

test('on a terminal, prints only the lines a rider needs', async (context) => {
  if (!hasTerminal) context.skip('This test needs script from util-linux.')
  const terminal = openTerminal('npm start --silent', ROOT, environment)
  await terminal.answer('Data: .+\r\n', CTRL_C)
  await terminal.ended
  expect(
    terminal
      .screen()
      .replace(/\^C[^]*/, '')
      .split('\r\n'),
  ).toEqual([
    'This is sample data. To use your rides, run npm run connect and start again.',
    `Ready: ${url}`,
    'E-mail: owner@example.com',
    'Password: password',
    `Data: ${folder}`,
    '',
  ])
  expect(await readFile(logFile(), 'utf8')).toMatch(SYNCED)
})

test('on a terminal with --verbose, logs to the screen', async (context) => {
  if (!hasTerminal) context.skip('This test needs script from util-linux.')
  const terminal = openTerminal('npm start --silent -- --verbose', ROOT, environment)
  await terminal.answer('Data: .+\r\n', CTRL_C)
  await terminal.ended
  expect(terminal.screen()).toMatch(SYNCED)
  expect(existsSync(logFile())).toBe(false)
})

const isReady = () =>
  signIn(url).then(
    () => true,
    () => false,
  )

test('without a terminal, prints the same lines, and logs to standard error', async () => {
  const { child, ended } = launch({ PORT: environment.PORT!, TRACKER_DATA_DIR: folder })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (printed[name] += text))
  await expect.poll(() => printed.stderr, { timeout: 20_000 }).toMatch(SYNCED)
  expect(printed.stdout).toMatch(/^This is sample data.+\nReady: .+\nE-mail: .+\nPassword: .+\nData: .+\n$/)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(existsSync(logFile())).toBe(false)
})

test('keeps running when nothing reads its output anymore', async () => {
  const shell = spawn('npm start --silent 2>&1 | head -n 1', {
    cwd: ROOT,
    env: environment,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(shell, 'exit')
  try {
    const [printed] = await once(shell.stdout, 'data')
    // The log follows the lines for the rider.
    expect(String(printed)).toMatch(/^This is sample data/)
    await expect.poll(isReady).toBe(true)
    const owner = await signIn(url)
    const { data } = await owner.functions.invoke('update-rides', { method: 'POST', body: {} })
    expect(data?.status).toBe('ok')
    expect(await countRows(owner, 'bikes')).toBe(4)
  } finally {
    process.kill(-shell.pid!, 'SIGTERM')
    await ended
  }
})
