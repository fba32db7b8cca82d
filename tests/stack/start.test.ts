import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countRows, signIn } from '../owner.ts'
import { freePort } from '../../embedded/port.ts'
import { isAlive } from '../../embedded/postgres/cluster.ts'
import { command } from './commands.ts'
import { launch, start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'

// Tests share a data folder and, where possible, its running tracker. Each test also gets an empty folder.
let folder: string
let empty: string
const removes: (() => Promise<void>)[] = []
let running: Running | undefined

beforeAll(async () => {
  const temporary = await temporaryFolder()
  folder = temporary.folder
  removes.push(temporary.remove)
})
beforeEach(async () => {
  const temporary = await temporaryFolder()
  empty = temporary.folder
  removes.push(temporary.remove)
})
afterAll(async () => {
  await running?.stop('SIGKILL')
  await Promise.all(removes.map((remove) => remove()))
})

async function startHere(environment: Record<string, string> = {}): Promise<Running> {
  const stack = await start({ TRACKER_DATA_DIR: folder, ...environment })
  running = stack
  void stack.ended.then(() => {
    if (running === stack) running = undefined
  })
  return stack
}

const tracker = async () => running ?? startHere()

/** Lists a process's descendants. */
function childrenOf(pid: number): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout
  const children = listed.split(/\s+/).filter(Boolean).map(Number)
  return [...children, ...children.flatMap(childrenOf)]
}

const oneMessage = /^[^\n]+\.\n$/

test('the first start prints the URL, email, password and data folder, and loads the sample', async () => {
  const stack = await startHere()
  expect(stack.output().split('\n').slice(-5)).toEqual([
    `Ready: ${stack.url}`,
    'E-mail: owner@example.com',
    'Password: password',
    `Data: ${folder}`,
    '',
  ])

  const owner = await signIn(stack.url)
  expect(await countRows(owner, 'bikes')).toBe(4)
  // More than the data API returns in one response.
  expect(await countRows(owner, 'rides')).toBeGreaterThan(1000)
  expect(await countRows(owner, 'maintenance')).toBeGreaterThan(20)
  const { data } = await owner.from('ride_syncs').select('triggered_by, outcome, fetched, added')
  expect(data).toEqual([
    { triggered_by: 'schedule', outcome: 'ok', fetched: expect.any(Number), added: expect.any(Number) },
  ])
})

test('SIGTERM stops every process; the second start keeps every row, prints no password, and neither syncs nor seeds', async () => {
  const first = await tracker()
  const owner = await signIn(first.url)
  await owner.from('maintenance').delete().gt('id', 0)
  const { data: bike } = await owner.from('bikes').select('gear_id').limit(1).single()
  await owner
    .from('maintenance')
    .insert({ bikeId: bike!.gear_id, name: 'Mine', dateStarted: '2026-01-01 01:00:00' })
  const rides = await countRows(owner, 'rides')
  const syncs = await countRows(owner, 'ride_syncs')
  const children = childrenOf(first.pid)
  // The children are Deno, the shell that stops PostgreSQL, and PostgreSQL's processes.
  expect(children.length).toBeGreaterThan(4)
  expect((await first.stop('SIGTERM')).code).toBe(0)
  await expect.poll(() => children.some(isAlive)).toBe(false)

  // Requests to itself never go through a proxy.
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' }
  const second = await startHere({ OWNER_PASSWORD: 'another-one', ...proxy })
  expect(second.output()).not.toContain('Password:')
  const again = await signIn(second.url)
  expect((await again.from('maintenance').select('name')).data).toEqual([{ name: 'Mine' }])
  expect(await countRows(again, 'rides')).toBe(rides)
  expect(await countRows(again, 'ride_syncs')).toBe(syncs)
  const health = await fetch(`${second.url}/healthz`)
  expect(await health.json()).toEqual({ database: true, auth: true, functions: true })
})

test('rejects a second tracker on its data folder', async () => {
  const stack = await tracker()
  const { code, output } = await startAndWaitForExit({ TRACKER_DATA_DIR: folder })
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain(`The data folder ${folder} is in use`)
  expect(await countRows(await signIn(stack.url), 'bikes')).toBe(4)
})

test('only this machine can reach the tracker', async (context) => {
  const addresses = Object.values(networkInterfaces())
    .flat()
    .filter((address) => address && !address.internal && address.family === 'IPv4')
  if (addresses.length === 0) context.skip('This machine has no address but loopback.')
  const stack = await tracker()
  for (const { address } of addresses as { address: string }[]) {
    const socket = connect(Number(new URL(stack.url).port), address)
    await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED')
  }
})

test('kill -9 leaves no process, and the next start works', async () => {
  const stack = await tracker()
  const children = childrenOf(stack.pid)
  await stack.stop('SIGKILL')
  await expect.poll(() => children.some(isAlive)).toBe(false)
  expect(await countRows(await signIn((await tracker()).url), 'bikes')).toBe(4)
})

test('reports that PostgreSQL was killed, and the next start recovers', async () => {
  const stack = await tracker()
  const [postmaster] = (await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(postmaster), 'SIGKILL')
  const { code, output } = await stack.ended
  expect(code).toBe(1)
  expect(output).toContain('PostgreSQL stopped unexpectedly')
  expect(await countRows(await signIn((await tracker()).url), 'bikes')).toBe(4)
})

test('keeps running when a PostgreSQL process is killed, and other commands still notice that it runs', async () => {
  const stack = await tracker()
  const owner = await signIn(stack.url)
  const [postmaster] = (await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const sessions = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', postmaster!], { encoding: 'utf8' }).stdout
  // If a session is killed, PostgreSQL ends all sessions and restarts.
  process.kill(Number(/^\s*(\d+) postgres: postgres sample/m.exec(sessions)![1]), 'SIGKILL')
  await expect.poll(async () => (await fetch(`${stack.url}/healthz`)).status).toBe(200)
  expect(await countRows(owner, 'bikes')).toBe(4)
  const { output } = await command('backup', [path.join(empty, 'backup.json')], { TRACKER_DATA_DIR: folder })
  expect(output).toContain('Backed up 4 bikes')
  expect((await fetch(`${stack.url}/healthz`)).status).toBe(200)
  expect(stack.output()).not.toContain('stopped unexpectedly')
})

test('Ctrl-C stops every process, and pressing it again does not interrupt the stop', async () => {
  const stack = await tracker()
  const children = childrenOf(stack.pid)
  const pressing = setInterval(() => process.kill(stack.pid, 'SIGINT'), 5)
  const { code } = await stack.stop('SIGINT').finally(() => clearInterval(pressing))
  expect(code).toBe(0)
  await expect.poll(() => children.some(isAlive)).toBe(false)
  expect(await readdir(path.join(folder, 'postgres'))).not.toContain('postmaster.pid')
})

test('reports a port that is taken while the tracker starts', async () => {
  const port = await freePort()
  const postgres = path.join(folder, 'postgres')
  const { ended } = launch({ TRACKER_DATA_DIR: folder, PORT: String(port) })
  // When PostgreSQL starts, the tracker has checked the port.
  while (!existsSync(path.join(postgres, 'postmaster.pid')))
    await new Promise((resolve) => setTimeout(resolve, 5))
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { code, output } = await ended
  server.close()
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain(`Port ${port} is taken`)
  expect(await readdir(postgres)).not.toContain('postmaster.pid')
})

test('reports a taken port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, output } = await startAndWaitForExit({ TRACKER_DATA_DIR: empty, PORT: String(port) })
  server.close()
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain(`Port ${port} is taken`)
  expect(await readdir(empty)).toEqual([])
})

test('a real account starts empty, without the sample, and prints a generated password', async () => {
  const credentials = {
    RWGPS_API_KEY: 'key',
    RWGPS_EMAIL: 'rider@example.com',
    RWGPS_PASSWORD: 'wheels',
    // No server listens there, because Ride with GPS is only called when the owner starts a sync.
    RWGPS_BASE_URL: 'http://127.0.0.1:9',
  }
  const stack = await startHere(credentials)
  const [, password] = await stack.line(/^Password: (.+)$/m)
  expect(password!.length).toBeGreaterThanOrEqual(16)
  const owner = await signIn(stack.url, { password: password! })
  expect(await countRows(owner, 'bikes')).toBe(0)
  expect(await countRows(owner, 'rides')).toBe(0)
  expect(await countRows(owner, 'maintenance')).toBe(0)
  expect(await countRows(owner, 'ride_syncs')).toBe(0)
  await expect(signIn(stack.url)).rejects.toThrow(/invalid/i)
})
