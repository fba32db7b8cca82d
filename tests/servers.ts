// PostgreSQL servers of several versions: npm's own, Debian's, and one in the folder that TEST_POSTGRES names.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../embedded/port.ts'
import { findBinaries } from '../embedded/postgres/binaries.ts'
import { processUser } from '../embedded/postgres/process-user.ts'
import { temporaryFolder } from './running.ts'

/** Returns the folders with PostgreSQL's programs. */
export async function postgresFolders(): Promise<string[]> {
  const own = path.dirname((await findBinaries()).postgres)
  const named = process.env.TEST_POSTGRES
  return [own, ...globSync('/usr/lib/postgresql/*/bin'), ...(named ? [path.join(named, 'bin')] : [])].filter(
    (folder) => existsSync(path.join(folder, 'postgres')),
  )
}

export const versionIn = (folder: string) =>
  /(\d+)\.\d+/.exec(execFileSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' }))![1]!

/** Starts a server with passwords and TCP, as a hosting provider's. */
export async function startPostgres(
  programs: string,
  settings: Record<string, string> = {},
  files: Record<string, string> = {},
) {
  const { folder, remove } = await temporaryFolder()
  const data = path.join(folder, 'data')
  const user = processUser(path.join(programs, 'postgres'), folder)
  const run = (program: string, ...args: string[]) => {
    const [command = '', ...rest] = [
      ...user.prefix,
      path.join(programs, program),
      `--pgdata=${data}`,
      ...args,
    ]
    execFileSync(command, rest, {
      ...user.ids,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    })
  }
  await mkdir(data)
  await user.own(data)
  await writeFile(path.join(folder, 'password'), 'secret')
  run(
    'initdb',
    '--username=postgres',
    `--pwfile=${path.join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  )
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(data, name), text, { mode: 0o600 })
  await user.own(data)
  const port = String(await freePort())
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, fsync: 'off', ...settings }
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  run('pg_ctl', 'start', '--wait', `--options=${options.join(' ')}`, `--log=${path.join(data, 'log')}`)
  return {
    port,
    url: `postgresql://postgres:secret@127.0.0.1:${port}/postgres`,
    async stop() {
      run('pg_ctl', 'stop', '--wait', '--mode=immediate')
      await remove()
    },
  }
}

export const isInstalled = (program: string) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)))

/** Starts PgBouncer with its defaults in front of the server at `port`. */
export async function startPgBouncer(serverPort: string, mode: string) {
  const { folder, remove } = await temporaryFolder()
  const port = String(await freePort())
  const users = path.join(folder, 'users')
  const file = path.join(folder, 'ini')
  await writeFile(users, '"postgres" "secret"\n')
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
`,
  )
  const user = processUser('/usr/sbin/pgbouncer', folder)
  await user.own(folder)
  const [command = '', ...args] = user.prefix.concat('pgbouncer', file)
  const bouncer = spawn(command, args, { ...user.ids, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(bouncer, 'exit')
  const listening = new Promise<void>((resolve) =>
    bouncer.stderr.setEncoding('utf8').on('data', (text) => text.includes('process up') && resolve()),
  )
  const failed = exited.then(([code]) => Promise.reject(new Error(`PgBouncer exited with code ${code}.`)))
  await Promise.race([listening, failed])
  return {
    url: `postgresql://postgres:secret@127.0.0.1:${port}/tracker`,
    async stop() {
      failed.catch(() => undefined)
      bouncer.kill('SIGKILL')
      await exited
      await remove()
    },
  }
}
