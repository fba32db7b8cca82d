import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

// The headless shell needs less than half the CPU time of a complete browser.
const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']
const OTHER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Returns the path of the browser for tests. As root on Debian, installs Chromium's headless shell if needed. */
export function findBrowser(): string {
  const named = process.env.CHROME_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROME_PATH is ${named}, which does not exist.`)
  }
  const found = onPath(HEADLESS_SHELL) ?? installOnDebian() ?? completeBrowser()
  if (found === undefined) {
    throw new Error('The browser tests need Chrome or Chromium. Install one, or set CHROME_PATH to its path.')
  }
  return found
}

/** Starts the browser without its own network requests. */
export const launchBrowser = () =>
  chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })

const completeBrowser = () =>
  NAMES.map(onPath).find(Boolean) ??
  [...OTHER_PATHS, chromium.executablePath()].find((file) => existsSync(file))

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file))
}

function installOnDebian(): string | undefined {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return undefined
  console.log('Installing Chromium’s headless shell for the browser tests.')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  apt('install', '--yes', '--no-install-recommends', HEADLESS_SHELL)
  return onPath(HEADLESS_SHELL)
}
