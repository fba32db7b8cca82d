import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { ROOT } from '../../embedded/installation.ts'
import { countRows, signIn } from '../owner.ts'
import { BLANK_ENVIRONMENT, temporaryFolder } from '../running.ts'
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

test('keeps running when nothing reads its output anymore', async () => {
  const shell = spawn('npm start --silent | head -n 1', {
    cwd: ROOT,
    env: environment,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(shell, 'exit')
  try {
    const [printed] = await once(shell.stdout, 'data')
    // Without a terminal, the log stays on standard output.
    expect(String(printed)).toMatch(SYNCED)
    await expect.poll(isReady).toBe(true)
    const owner = await signIn(url)
    const { data } = await owner.functions.invoke('update-rides', { method: 'POST', body: {} })
    expect(data?.status).toBe('ok')
    expect(await countRows(owner, 'bikes')).toBe(4)
    expect(existsSync(logFile())).toBe(false)
  } finally {
    process.kill(-shell.pid!, 'SIGTERM')
    await ended
  }
})
