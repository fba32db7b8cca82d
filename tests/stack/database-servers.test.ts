// The tracker on servers of other versions, with the rights that hosting providers give, and behind PgBouncer.
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { countRows, signIn } from '../owner.ts'
import { start, startAndWaitForExit, temporaryFolder } from '../running.ts'
import { isInstalled, postgresFolders, startPgBouncer, startPostgres, versionIn } from '../servers.ts'
import { command } from './commands.ts'

const removes: (() => unknown)[] = []
afterAll(async () => {
  for (const remove of removes.splice(0).toReversed()) await remove()
})

async function newFolder(): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  removes.push(remove)
  return folder
}

type Server = Awaited<ReturnType<typeof startPostgres>>

async function startServer(...options: Parameters<typeof startPostgres>): Promise<Server> {
  const server = await startPostgres(...options)
  removes.push(() => server.stop())
  return server
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const sql = connect(url)
  for (const statement of statements) await sql.unsafe(statement)
  await sql.end()
}

async function linesForAdministrator(url: string): Promise<string[]> {
  const [sentence, ...lines] = (await refusal(url)).trim().split('\n')
  expect(sentence).toMatch(
    /^The role of DATABASE_URL may not create the roles that the tracker needs \(must be superuser[^)]+\)\. Have .* run this once in the database, then start again:$/,
  )
  return lines
}

/** Starts, syncs, saves, marks a task done, backs up and restores. Returns the exit code. */
async function live(url: string): Promise<number | null> {
  const folder = await newFolder()
  const environment = { DATABASE_URL: url, TRACKER_DATA_DIR: folder }
  const tracker = await start(environment)
  const owner = await signIn(tracker.url)
  expect(await countRows(owner, 'rides')).toBeGreaterThan(1000)
  const { data: tasks } = await owner.from('service_tasks').select('id').order('id').limit(1)
  const done = { command: 'mark_done', arguments: { task_id: tasks![0]!.id } }
  expect((await owner.rpc('run_command', done)).error).toBeNull()
  const added = { command: 'add_item', arguments: { item: { bikeId: await bikeOf(owner), name: 'Bell' } } }
  expect((await owner.rpc('run_command', added)).error).toBeNull()
  const items = await countRows(owner, 'maintenance')

  const file = path.join(folder, 'backup.json')
  expect((await command('backup', [file], environment)).output).toContain('Backed up 4 bikes')
  await owner.from('maintenance').delete().gt('id', 0)
  expect((await command('restore', [file, '--replace'], environment)).output).toContain('Restored 4 bikes')
  expect(await countRows(owner, 'maintenance')).toBe(items)
  const { output } = await command('doctor', [], { ...environment, PORT: new URL(tracker.url).port })
  expect(output).toContain('Everything is fine.')
  expect(output).toContain('DATABASE_URL points to a database that the tracker can use for sample data.')
  const { code, output: printed } = await tracker.stop()
  expect(printed).not.toContain('Error')
  return code
}

const bikeOf = async (owner: Awaited<ReturnType<typeof signIn>>) =>
  (await owner.from('bikes').select('gear_id').limit(1)).data![0]!.gear_id

const refusal = async (url: string) =>
  (await startAndWaitForExit({ DATABASE_URL: url, TRACKER_DATA_DIR: await newFolder() })).output

const PASSWORD = 'a%#?/@ word'
const AS_TRACKER = `tracker:${encodeURIComponent(PASSWORD)}`

// Settings that a database's owner may have, and that would change the output or the meaning of statements.
const OWN_SETTINGS = [
  "datestyle = 'German'",
  'standard_conforming_strings = off',
  'search_path = nowhere',
  "timezone = 'Asia/Tokyo'",
  'bytea_output = escape',
  'intervalstyle = iso_8601',
  "default_transaction_isolation = 'repeatable read'",
]

const servers = (await postgresFolders()).map((folder) => [versionIn(folder), folder] as const)
test.each(servers)(
  'a role without superuser and a database with settings of its own work on PostgreSQL %s',
  async (version, folder) => {
    const server = await startServer(folder)
    await run(
      server.url,
      `create role tracker login createrole bypassrls password '${PASSWORD}'`,
      'create database "Räder 100%" owner tracker',
      ...OWN_SETTINGS.map((setting) => `alter database "Räder 100%" set ${setting}`),
    )
    const url = `postgresql://${AS_TRACKER}@127.0.0.1/?port=${server.port}&dbname=R%C3%A4der%20100%25`
    // Only a superuser of older versions creates a role that bypasses row-level security.
    if (Number(version) < 16)
      await run(
        server.url,
        ...(await linesForAdministrator(url)),
        'alter role tracker nocreaterole nobypassrls',
      )
    expect(await live(url)).toBe(0)
  },
)

test.skipIf(!isInstalled('openssl'))(
  'the parameters for TLS do what libpq documents (needs openssl)',
  async () => {
    const folder = await newFolder()
    const [cert, key] = [path.join(folder, 'cert'), path.join(folder, 'key')]
    const request = [
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=tracker',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ]
    execFileSync('openssl', ['req', '-x509', ...request, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const files = { 'server.crt': await readFile(cert, 'utf8'), 'server.key': await readFile(key, 'utf8') }
    const { port } = await startServer(servers[0]![1], { ssl: 'on' }, files)
    const isEncrypted = async (host: string, parameters: string) => {
      const sql = connect(`postgresql://postgres:secret@${host}:${port}/postgres?${parameters}`)
      const query = sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
      return query
        .then(([row]) => row!.ssl)
        .catch(({ message }: Error) => message)
        .finally(() => sql.end({ timeout: 0 }))
    }
    const self = expect.stringContaining('self-signed certificate')
    const other = expect.stringContaining("does not match certificate's altnames")
    for (const [host, parameters, expected] of [
      ['127.0.0.1', 'sslmode=disable', false],
      ['127.0.0.1', 'sslmode=prefer', true],
      ['127.0.0.1', 'sslmode=require&channel_binding=require', true],
      ['127.0.0.1', 'sslmode=no-verify', true],
      ['127.0.0.1', 'sslmode=verify-full', self],
      ['127.0.0.1', 'sslmode=verify-ca', self],
      ['127.0.0.1', `sslmode=verify-full&sslrootcert=${cert}`, true],
      ['localhost', `sslmode=verify-full&sslrootcert=${cert}`, other],
      ['localhost', `sslmode=verify-ca&sslrootcert=${cert}`, true],
      ['localhost', `sslmode=require&sslrootcert=${cert}`, true],
    ] as const)
      expect([host, parameters, await isEncrypted(host, parameters)]).toEqual([host, parameters, expected])
    expect(await refusal(`postgresql://postgres:secret@127.0.0.1:${port}/postgres?sslmode=verify-full`)).toBe(
      "The database at DATABASE_URL can't be reached: self-signed certificate. Set sslrootcert to a file with its root certificate.\n",
    )
  },
)

describe.skipIf(!isInstalled('pgbouncer'))('PgBouncer (install it to run these tests)', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer(servers[0]![1])
    await run(server.url, 'create database tracker')
  })

  async function startBouncer(mode: string): Promise<string> {
    const bouncer = await startPgBouncer(server.port, mode)
    removes.push(() => bouncer.stop())
    return bouncer.url
  }

  test('works in session mode', async () => {
    expect(await live(await startBouncer('session'))).toBe(0)
  })

  test.each(['transaction', 'statement'])('is refused in %s mode', async (mode) => {
    expect(await refusal(await startBouncer(mode))).toBe(
      'DATABASE_URL points to a pooler that gives each transaction another session. Use the URL of the server itself, or set the pooler to session mode.\n',
    )
  })
})
