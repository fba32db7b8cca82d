import { expect, test } from 'vitest'
import { commandLine, installedFile, ROOT, userDataFolder } from './installation.ts'

test.each([
  ['linux', {}, '/home/ann', '/home/ann/.local/share/rwgps-maintenance-tracker'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/ann', '/data/rwgps-maintenance-tracker'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/ann', '/home/ann/.local/share/rwgps-maintenance-tracker'],
  ['freebsd', {}, '/home/ann', '/home/ann/.local/share/rwgps-maintenance-tracker'],
  ['darwin', {}, '/Users/ann', '/Users/ann/Library/Application Support/rwgps-maintenance-tracker'],
  ['win32', {}, 'C:\\Users\\Ann', 'C:\\Users\\Ann\\AppData\\Local\\rwgps-maintenance-tracker'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\Ann', 'D:\\Local\\rwgps-maintenance-tracker'],
] as const)('on %s with %j, the data folder in %s is %s', (platform, environment, home, expected) => {
  expect(userDataFolder(environment, { platform, home })).toBe(expected)
})

test('a clone finds its root and its npm scripts', () => {
  expect(ROOT).toBe(process.cwd())
  expect([commandLine('start'), commandLine('backup')]).toEqual(['npm start', 'npm run backup'])
})

test('a package that is not installed has no files', () => {
  expect(installedFile('vite', 'package.json')).toMatch(/vite.package\.json$/)
  expect(installedFile('vite', 'missing')).toBeUndefined()
  expect(installedFile('@deno/another-platform', 'deno')).toBeUndefined()
})
