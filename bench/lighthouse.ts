// Lighthouse over the built client, as its default has it: a slow phone on a slow network.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../scripts/browser.ts'
import { signIn } from '../tests/browser/sign-in.ts'
import { freePort, start, temporaryFolder } from '../tests/running.ts'
import { report } from './measure.ts'

const run = promisify(execFile)

const FOLDER = fileURLToPath(new URL('lighthouse', import.meta.url))
const CLI = `${FOLDER}/node_modules/lighthouse/cli/index.js`
/** What else the machine has to do only ever makes a page slower: the best of some runs is the truest. */
const RUNS = 5
const LARGEST_REPORT_BYTES = 64 * 1024 * 1024

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof CATEGORIES)[number]
type Scores = Record<Category, number>

export async function lighthouse(): Promise<void> {
  console.log('\nLighthouse: a slow phone on a slow network')
  if (!existsSync(CLI)) await run('npm', ['ci', '--prefix', FOLDER])
  const { folder, remove } = await temporaryFolder()
  const profile = await temporaryFolder()
  const stack = await start({ TRACKER_DATA_DIR: folder })
  try {
    await judge('signing in', stack.url, profile.folder)
    const bike = await inBrowser(profile.folder, async ({ context }) =>
      openLog(await context.newPage(), stack.url),
    )
    await judge('a log', bike, profile.folder)
    await judge('the rides', `${bike}&tab=rides`, profile.folder)
  } finally {
    await stack.stop()
    await Promise.all([remove(), profile.remove()])
  }
}

/** A browser that is signed in once a page of its profile was, with the port by which Lighthouse opens tabs in it. */
async function inBrowser<T>(
  profile: string,
  use: (browser: { context: BrowserContext; port: number }) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  })
  try {
    return await use({ context, port })
  } finally {
    await context.close()
  }
}

async function openLog(page: Page, url: string): Promise<string> {
  await page.goto(url)
  await signIn(page)
  await page.getByRole('group', { name: 'Bikes' }).getByRole('button').first().click()
  await page.getByRole('table').waitFor()
  const bike = page.url()
  await page.close()
  return bike
}

async function judge(name: string, url: string, profile: string): Promise<void> {
  const runs: Scores[] = []
  // A browser for each: what the page before left in its process would be searched while the next one loads.
  for (let index = 0; index < RUNS; index++)
    runs.push(await inBrowser(profile, ({ port }) => scoresOf(url, port)))
  const best = (category: Category) => Math.max(...runs.map((scores) => scores[category]))
  const worst = (category: Category) => Math.min(...runs.map((scores) => scores[category]))
  report(`${name}: Accessibility`, worst('accessibility'), 'of 100', 100, 'at least')
  report(`${name}: Best Practices`, worst('best-practices'), 'of 100', 100, 'at least')
  report(`${name}: Performance`, best('performance'), 'of 100', 95, 'at least')
}

async function scoresOf(url: string, port: number): Promise<Scores> {
  const { stdout } = await run(
    process.execPath,
    [
      CLI,
      url,
      `--port=${port}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      '--disable-storage-reset',
      '--output=json',
      '--quiet',
    ],
    { maxBuffer: LARGEST_REPORT_BYTES },
  )
  const { categories } = JSON.parse(stdout) as { categories: Record<Category, { score: number }> }
  return Object.fromEntries(
    CATEGORIES.map((category) => [category, Math.round(categories[category].score * 100)]),
  ) as Scores
}
