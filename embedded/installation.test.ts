import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandLine, installedFile, isInHome, program, ROOT, userDataFolder } from './installation.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tracker-installation-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each([
  ['linux', {}, '/home/ann', '/home/ann/.local/share/rwgps-maintenance-tracker'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/ann', '/data/rwgps-maintenance-tracker'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/ann', '/home/ann/.local/share/rwgps-maintenance-tracker'],
  ['freebsd', {}, '/home/ann', '/home/ann/.local/share/rwgps-maintenance-tracker'],
  ['darwin', {}, '/Users/ann', '/Users/ann/Library/Application Support/rwgps-maintenance-tracker'],
  ['win32', {}, 'C:\\Users\\Ann', 'C:\\Users\\Ann\\AppData\\Local\\rwgps-maintenance-tracker'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\Ann', 'D:\\Local\\rwgps-maintenance-tracker'],
] as const)('on %s with %j, the data folder in %s is %s', (platform, environment, home, expected) => {
  expect(userDataFolder(environment, { platform, home: () => home })).toBe(expected)
})

test('a clone finds its root and its npm scripts', () => {
  expect(ROOT).toBe(process.cwd())
  expect([commandLine('start'), commandLine('backup')]).toEqual(['npm start', 'npm run backup'])
})

test('a package that npx runs from a file names that file', async () => {
  const cache = path.join(folder, '.npm/_npx/0123456789abcdef')
  const root = path.join(cache, 'node_modules/rwgps-maintenance-tracker')
  await mkdir(root, { recursive: true })
  // The format of npm 10 and 11.
  const dependencies = { 'rwgps-maintenance-tracker': 'file:../../../downloads/tracker-1.0.0.tgz' }
  await writeFile(path.join(cache, 'package.json'), JSON.stringify({ dependencies }))
  const searchPath = path.join(cache, 'node_modules/.bin')
  const file = path.join(folder, 'downloads/tracker-1.0.0.tgz')
  expect(program(root, { cwd: path.join(folder, 'downloads'), searchPath })).toBe('npx ./tracker-1.0.0.tgz')
  expect(program(root, { cwd: path.join(folder, 'elsewhere'), searchPath })).toBe(`npx file:${file}`)
})

test('a package on the search path is run by name, and any other package by its path', async () => {
  const root = path.join(folder, 'lib/node_modules/rwgps-maintenance-tracker')
  const bin = path.join(folder, 'bin')
  const local = path.join(folder, 'lib/node_modules/.bin')
  for (const directory of [root, bin, local]) await mkdir(directory, { recursive: true })
  for (const directory of [bin, local]) await writeFile(path.join(directory, 'rwgps-maintenance-tracker'), '')
  expect(program(root, { searchPath: [local, bin].join(path.delimiter) })).toBe('rwgps-maintenance-tracker')
  expect(program(root, { searchPath: local })).toBe(path.join(root, 'bin/rwgps-maintenance-tracker.js'))
})

test.each([
  ['/home/rider/.local/share/pnpm/rwgps-maintenance-tracker', true],
  ['/root/.bun/install/global/node_modules/rwgps-maintenance-tracker/bin/rwgps-maintenance-tracker.js', true],
  ['/usr/lib/node_modules/rwgps-maintenance-tracker/bin/rwgps-maintenance-tracker.js', false],
  ['/opt/home/bin/rwgps-maintenance-tracker', false],
])('a service cannot run %s: %s', (file, isClosed) => {
  expect(isInHome(file)).toBe(isClosed)
})

test('a package that is not installed has no files', () => {
  expect(installedFile('vite', 'package.json')).toMatch(/vite.package\.json$/)
  expect(installedFile('vite', 'missing')).toBeUndefined()
  expect(installedFile('@deno/another-platform', 'deno')).toBeUndefined()
})
