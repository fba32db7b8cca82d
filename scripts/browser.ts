import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The program of a Chrome or Chromium for the browser tests; on Debian, as root, it is installed if there is none. */
export function findBrowser(): string {
  const found = installedBrowser() ?? (installOnDebian() ? installedBrowser() : undefined)
  if (found === undefined) {
    throw new Error(
      'The browser tests need Chrome or Chromium: install one, or set CHROME_PATH to its program.',
    )
  }
  return found
}

function installedBrowser(): string | undefined {
  const named = process.env.CHROME_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROME_PATH is ${named}, and there is no such file.`)
  }
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...onPath, ...ELSEWHERE, chromium.executablePath()].find((file) => existsSync(file))
}

function installOnDebian(): boolean {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false
  console.log('No Chrome or Chromium here: installing Debian’s chromium for the browser tests.')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  return apt('install', '--yes', '--no-install-recommends', 'chromium').status === 0
}
