import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']
const OTHER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of Chrome or Chromium for the browser tests. Installs Chromium if none is found, on Debian as root. */
export function findBrowser(): string {
  const found = installedBrowser() ?? (installOnDebian() ? installedBrowser() : undefined)
  if (found === undefined) {
    throw new Error('The browser tests need Chrome or Chromium. Install one, or set CHROME_PATH to its path.')
  }
  return found
}

function installedBrowser(): string | undefined {
  const named = process.env.CHROME_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROME_PATH is ${named}, which does not exist.`)
  }
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...onPath, ...OTHER_PATHS, chromium.executablePath()].find((file) => existsSync(file))
}

function installOnDebian(): boolean {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false
  console.log('Installing Chromium for the browser tests.')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  return apt('install', '--yes', '--no-install-recommends', 'chromium').status === 0
}
