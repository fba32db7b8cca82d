import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, type TestContext } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { ROOT } from '../../embedded/installation.ts'
import { countRows, signIn } from '../owner.ts'
import { prepareTracker, type Prepared } from '../postgres.ts'
import { programFile } from '../programs.ts'
import { BLANK_ENVIRONMENT, launch } from '../running.ts'
import { hasTerminal, openTerminal } from './terminal.ts'

const CTRL_C = '\u0003'

let prepared: Prepared
let folder: string
beforeEach(async () => {
  prepared = await prepareTracker()
  folder = prepared.environment.TRACKER_DATA_DIR
})
afterEach(() => prepared.remove())

const SYNCED = /^\{"source":"update-rides","event":"rides_updated"/m
const logFile = () => path.join(folder, 'functions.log')

/** Starts and stops the tracker on a terminal. Returns its output. */
async function startOnTerminal(command: string, PORT: string, context: TestContext): Promise<string> {
  if (!hasTerminal) context.skip('This test needs script from util-linux.')
  const environment = { ...process.env, ...BLANK_ENVIRONMENT, PORT, ...prepared.environment }
  const terminal = openTerminal(command, ROOT, environment)
  await terminal.answer('Data: .+\r\n', CTRL_C)
  await terminal.ended
  return terminal.screen()
}

test('on a terminal, prints only the lines a rider needs', async (context) => {
  const port = String(await freePort())
  const screen = await startOnTerminal('npm start --silent', port, context)
  expect(screen.replace(/\^C[^]*/, '').split('\r\n')).toEqual([
    'This is sample data. To use your rides, run npm run connect and start again.',
    `Ready: http://127.0.0.1:${port}`,
    'E-mail: owner@example.com',
    'Password: password',
    `Data: ${folder}`,
    '',
  ])
  expect(await readFile(logFile(), 'utf8')).toMatch(SYNCED)
})

test('on a terminal with --verbose, logs to the screen', async (context) => {
  const command = `node ${programFile('start')} --verbose`
  expect(await startOnTerminal(command, String(await freePort()), context)).toMatch(SYNCED)
  expect(existsSync(logFile())).toBe(false)
})

test('without a terminal, logs to standard error, and keeps running when nothing reads that anymore', async () => {
  const port = String(await freePort())
  const { child, ended } = launch({ ...prepared.environment, PORT: port })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (printed[name] += text))
  await expect.poll(() => printed.stderr).toMatch(SYNCED)
  await expect
    .poll(() => printed.stdout)
    .toMatch(/^This is sample data.+\nReady: .+\nE-mail: .+\nPassword: .+\nData: .+\n$/)
  expect(existsSync(logFile())).toBe(false)

  child.stdout.destroy()
  child.stderr.destroy()
  const owner = await signIn(`http://127.0.0.1:${port}`)
  const { data } = await owner.functions.invoke('update-rides', { method: 'POST', body: {} })
  expect(data?.status).toBe('ok')
  expect(await countRows(owner, 'bikes')).toBe(4)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})
