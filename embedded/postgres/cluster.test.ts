import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { temporaryFolder } from '../../tests/running.ts'
import { isAlive, isServing, requireUsablePaths, startCluster, type Cluster } from './cluster.ts'
import { connect } from './connect.ts'
import { DatabaseInUse, lock } from './lock.ts'

// Tests share one cluster and leave it stopped. Some switch to an empty folder.
let folder: string
let shared: string
const stops: (() => unknown)[] = []
const removes: (() => Promise<void>)[] = []
beforeAll(async () => {
  await useEmptyFolder()
  shared = folder
})
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
  folder = shared
})
afterAll(() => Promise.all(removes.map((remove) => remove())))

async function useEmptyFolder(): Promise<void> {
  const temporary = await temporaryFolder()
  folder = temporary.folder
  removes.push(temporary.remove)
}

/** Starts a cluster and takes its lock, as the tracker does. */
async function start(name = 'postgres'): Promise<Cluster> {
  const cluster = await startCluster(path.join(folder, name), { fsync: 'off' })
  const session = await lock(cluster.url, name).catch(async (error) => {
    await cluster.stop()
    throw error
  })
  stops.push(async () => {
    await session.end()
    await cluster.stop()
  })
  return cluster
}

async function select(cluster: Cluster, query: string): Promise<unknown> {
  const sql = connect(cluster.url)
  const [row] = await sql.unsafe(query).finally(() => sql.end())
  return Object.values(row!)[0]
}

const postmaster = async (name = 'postgres') =>
  Number((await readFile(path.join(folder, name, 'postmaster.pid'), 'utf8')).split('\n')[0])

const statusOf = (pid: number) => readFile(`/proc/${pid}/status`, 'utf8')

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const HOLDER = fileURLToPath(new URL('../../tests/stack/hold-cluster.ts', import.meta.url))

/** Starts a process that runs the cluster, holds its lock and waits to be killed. */
async function startElsewhere(): Promise<{ pid: number; kill(): void }> {
  const child = spawn(process.execPath, [HOLDER, path.join(folder, 'postgres')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stops.push(() => child.kill('SIGKILL'))
  let printed = ''
  for await (const text of child.stdout.setEncoding('utf8')) if ((printed += text).includes('ready')) break
  return { pid: child.pid!, kill: () => child.kill('SIGKILL') }
}

test('creates a durable UTF-8 cluster that only its owner can reach', async () => {
  const cluster = await startCluster(path.join(folder, 'postgres'))
  stops.push(() => cluster.stop())
  expect(await select(cluster, 'show fsync')).toBe('on')
  expect(await select(cluster, 'show server_encoding')).toBe('UTF8')
  expect(await select(cluster, 'show listen_addresses')).toBe('')
  expect(await select(cluster, 'select datlocprovider from pg_database limit 1')).toBe('b')
  expect((await stat(path.join(folder, 'postgres'))).mode & 0o777).toBe(0o700)
})

test('keeps its data across a restart, adds no other files and deletes none', async () => {
  const first = await startCluster(path.join(folder, 'postgres'))
  const sql = connect(first.url)
  await sql`create table saved as select 7 as n`
  await sql.end()
  await first.stop()
  expect(await readdir(folder)).toEqual(['postgres'])
  // Markers from version 0.1, and copies made by users.
  const leftovers = ['postgres-unfinished', 'sample-unfinished', 'postgres-a1B2c3', 'postgres-copy']
  await Promise.all(leftovers.slice(0, 2).map((name) => writeFile(path.join(folder, name), '')))
  await Promise.all(leftovers.slice(2).map((name) => mkdir(path.join(folder, name))))
  expect(await select(await start(), 'select n from saved')).toBe(7)
  expect(await readdir(folder)).toEqual(['postgres', ...leftovers].toSorted())
})

test('cleans up after a first start that was killed while it created the cluster', async () => {
  await useEmptyFolder()
  const options = { stdio: 'ignore', detached: true } as const
  const holder = spawn(process.execPath, [HOLDER, path.join(folder, 'postgres')], options)
  await until(async () => (await readdir(folder)).length > 0)
  // Kill initdb, too. It could still add files while the next start removes the folder.
  process.kill(-holder.pid!, 'SIGKILL')
  await once(holder, 'exit')
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^postgres-initdb-/)])
  expect(await select(await start(), 'select 1')).toBe(1)
  expect(await readdir(folder)).toEqual(['postgres'])
})

test('rejects one of two simultaneous starts on a new folder', async () => {
  await useEmptyFolder()
  const starts = await Promise.allSettled([start(), start()])
  expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(starts.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: expect.any(DatabaseInUse),
  })
  expect(await readdir(folder)).toEqual(['postgres'])
})

test('PostgreSQL stops when the process that started it is killed', async () => {
  const holder = await startElsewhere()
  const server = await postmaster()
  await expect(start()).rejects.toThrow(DatabaseInUse)
  holder.kill()
  await until(() => !isAlive(server))
  expect(await select(await start(), 'select 1')).toBe(1)
})

test.runIf(process.platform === 'linux')('the next start stops an orphaned server', async () => {
  const holder = await startElsewhere()
  const server = await postmaster()
  // Kill the shells first, because they would stop PostgreSQL.
  const shell = Number(/^PPid:\s+(\d+)/m.exec(await statusOf(server))![1])
  const children = await readFile(`/proc/${shell}/task/${shell}/children`, 'utf8')
  for (const pid of children.trim().split(' ').map(Number)) if (pid !== server) process.kill(pid, 'SIGKILL')
  process.kill(shell, 'SIGKILL')
  holder.kill()
  expect(await select(await start(), 'select 1')).toBe(1)
  // An exited process has no working directory, even while it is a zombie.
  await expect(readlink(`/proc/${server}/cwd`)).rejects.toThrow('ENOENT')
})

describe('after a power failure, while another program has the id of the old server', () => {
  let other: ChildProcess
  beforeAll(async () => {
    await (await startCluster(path.join(folder, 'postgres'))).stop()
    // PostgreSQL ignores the processes of other users.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    other = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore', ...user })
  })
  afterAll(() => other.kill())

  test.each([[['postmaster.pid']], [['.s.PGSQL.5432.lock']], [['postmaster.pid', '.s.PGSQL.5432.lock']]])(
    'ignores the stale lock files %j',
    async (names) => {
      const cluster = path.join(folder, 'postgres')
      const stale = [other.pid, cluster, 1, 5432, cluster, '', '1 1', 'ready']
      for (const name of names) {
        await writeFile(path.join(cluster, name), `${stale.join('\n')}\n`, { mode: 0o644 })
      }
      expect(await select(await start(), 'select 1')).toBe(1)
    },
  )
})

// Stuck like PostgreSQL 17 after a stop that met a crashed backend, but also deaf to SIGQUIT.
test('a stop ends a server that does not stop, and so does the next start after a kill', async () => {
  await useEmptyFolder()
  const cluster = await startCluster(path.join(folder, 'stuck'), { fsync: 'off' })
  const holder = await startElsewhere()
  const [stuck, abandoned] = [await postmaster('stuck'), await postmaster()]
  for (const pid of [stuck, abandoned]) process.kill(pid, 'SIGSTOP')
  const file = path.join(folder, 'postgres/postmaster.pid')
  await writeFile(file, (await readFile(file, 'utf8')).replace('ready', 'stopping'))
  holder.kill()
  const [started] = await Promise.all([start(), cluster.stop()])
  expect(await select(started, 'select 1')).toBe(1)
  expect([isAlive(stuck), isAlive(abandoned)]).toEqual([false, false])
})

test('a stop right after a backend crashed ends the server', async () => {
  await useEmptyFolder()
  const cluster = await startCluster(path.join(folder, 'postgres'), { fsync: 'off' })
  const sql = connect(cluster.url)
  // A new session could hang: the driver loses queries of a connection that is reset while it opens.
  await expect(sql`copy (select 1) to program 'kill -9 $PPID'`).rejects.toThrow('CONNECTION_CLOSED')
  await cluster.stop()
  await sql.end({ timeout: 0 })
  expect(await select(await start(), 'select 1')).toBe(1)
})

test.runIf(process.platform !== 'win32')('without /proc, tells PostgreSQL from other programs', async () => {
  await start()
  const file = path.join(folder, 'postgres')
  expect(isServing(await postmaster(), file, 'darwin')).toBe(true)
  expect(isServing(process.pid, file, 'darwin')).toBe(false)
})

test('notices that its folder was moved, and stops with all data', async () => {
  const cluster = await startCluster(path.join(folder, 'postgres'))
  stops.push(() => cluster.stop())
  const sql = connect(cluster.url)
  await sql`create table moved as select 7 as n`
  await sql.end()
  await rename(path.join(folder, 'postgres'), path.join(folder, 'elsewhere'))
  await cluster.moved
  await cluster.stop()
  await rename(path.join(folder, 'elsewhere'), path.join(folder, 'postgres'))
  expect(await select(await start(), 'select n from moved')).toBe(7)
})

test('works in a folder with spaces, umlauts and a path too long for a socket', async () => {
  const name = `Räder & Züge ${'sehr lang '.repeat(14)}`.trim()
  await mkdir(path.join(folder, name))
  const cluster = await startCluster(path.join(folder, name, 'postgres'))
  const socketFolder = new URL(cluster.url).searchParams.get('host')!
  expect(socketFolder).not.toContain(name)
  expect((await stat(socketFolder)).mode & 0o777).toBe(0o700)
  expect(await select(cluster, 'select 1')).toBe(1)
  await cluster.stop()
  expect(existsSync(socketFolder)).toBe(false)
})

test('works in a folder with a comma and quotes', async () => {
  const name = `Bikes, "mine", and Ann's`
  await mkdir(path.join(folder, name))
  const cluster = await startCluster(path.join(folder, name, 'postgres'))
  stops.push(() => cluster.stop())
  expect(await select(cluster, 'select 1')).toBe(1)
})

test.each([
  ['/data/a\nb/postgres', '/opt/bin/postgres', String.raw`in "/data/a\nb/postgres"`],
  ['/data/postgres', '/opt/a\nb/bin/postgres', String.raw`in "/opt/a\nb/bin"`],
  ['/data/postgres', '/opt/a"b/bin/postgres', String.raw`in "/opt/a\"b/bin"`],
])('rejects %j with the program %j', (cluster, postgres, place) => {
  expect(() => requireUsablePaths(cluster, { postgres })).toThrow(
    `PostgreSQL can't run ${place}, because the path has a double quote or a line break. Rename that folder.`,
  )
})

async function skipIfClosed(context: TestContext) {
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  for (let above = repository; above !== '/'; above = path.dirname(above)) {
    if (((await stat(above)).mode & 0o001) === 0) context.skip(`${above} is closed to other users`)
  }
}

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('runs as nobody with only the capabilities to access private folders', async () => {
    await start()
    const status = await statusOf(await postmaster())
    expect(status).toMatch(/^Uid:\s+65534\s+65534/m)
    // cap_dac_override and cap_dac_read_search
    expect(status).toMatch(/^CapEff:\s+0+6$/m)
    expect((await stat(path.join(folder, 'postgres'))).uid).toBe(65534)
    expect((await stat(folder)).uid).toBe(0)
  })

  test('runs without capabilities where every user can reach the folders', async (context) => {
    await chmod(folder, 0o711)
    await skipIfClosed(context)
    await start()
    expect(await statusOf(await postmaster())).toMatch(/^CapEff:\s+0+$/m)
  })

  test('explains that a user without an entry in /etc/passwd cannot create a cluster', async (context) => {
    await skipIfClosed(context)
    await useEmptyFolder()
    const uid = 54321
    await chown(folder, uid, uid)
    const options = { uid, gid: uid, encoding: 'utf8' } as const
    const { stderr } = spawnSync(process.execPath, [HOLDER, path.join(folder, 'postgres')], options)
    expect(stderr).toContain(
      `the user ${uid} has no entry in /etc/passwd. Start the tracker as a user that has one.`,
    )
    expect(await readdir(folder)).toEqual([])
  })
})

test('rejects a cluster of another major version and leaves it unchanged', async () => {
  await useEmptyFolder()
  await mkdir(path.join(folder, 'postgres'))
  await writeFile(path.join(folder, 'postgres/PG_VERSION'), '16\n')
  await expect(start()).rejects.toThrow('was created by PostgreSQL 16')
  expect(await readdir(path.join(folder, 'postgres'))).toEqual(['PG_VERSION'])
})

test('rejects a file in place of a cluster', async () => {
  await useEmptyFolder()
  await writeFile(path.join(folder, 'postgres'), '')
  await expect(start()).rejects.toThrow("can't be read (ENOTDIR)")
  expect(await readFile(path.join(folder, 'postgres'), 'utf8')).toBe('')
})

test('rejects a damaged cluster and leaves it unchanged', async () => {
  await useEmptyFolder()
  await mkdir(path.join(folder, 'postgres'))
  await writeFile(path.join(folder, 'postgres/PG_VERSION'), '17\n')
  await expect(start()).rejects.toThrow("can't start on")
  expect(await readdir(path.join(folder, 'postgres'))).toEqual(['PG_VERSION'])
})
