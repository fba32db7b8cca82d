import type { Page } from '@playwright/test'
import { start, temporaryFolder, type Running } from '../running.ts'
import { bikes, expect, openMainScreen, test as base } from './fixtures.ts'

interface Fixtures {
  /** A stack of the worker's own that can be taken down and brought up again, on the same address; up before each test. */
  tracker: { url: string; down(): Promise<void>; up(): Promise<void> }
}

export const test = base.extend<
  Fixtures,
  { stopped: { folder: string; running: Running | null; port: string } }
>({
  stopped: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const { folder, remove } = await temporaryFolder()
      const running = await start({ TRACKER_DATA_DIR: folder })
      const stack = { folder, running: running as Running | null, port: new URL(running.url).port }
      await use(stack)
      await stack.running?.stop()
      await remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  tracker: async ({ stopped: stack }, use) => {
    const down = async () => {
      await stack.running?.stop()
      stack.running = null
    }
    const up = async () => {
      stack.running ??= await start({ TRACKER_DATA_DIR: stack.folder, PORT: stack.port })
    }
    await up()
    await use({ url: `http://127.0.0.1:${stack.port}`, down, up })
  },
})

export { expect }

export const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Offline.' })

/** Signs in, and opens a bike's log and rides; all of it is kept when this resolves. */
export async function visit(page: Page, url: string, bike: string) {
  await openMainScreen(page, url)
  await page.evaluate(() => navigator.serviceWorker?.ready)
  await bikes(page).getByRole('button', { name: bike }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await expect(page.getByRole('link', { name: /\d\smi$/ }).first()).toBeVisible()
  await expect.poll(() => keptAnswers(page)).toHaveLength(4)
}

/** The names of the answers that are kept in this browser. */
export const keptAnswers = async (page: Page) => (await readDatabases(page)).flatMap(({ keys }) => keys)

/** All that a browser keeps of the tracker, as text. */
export async function allThatIsKept(page: Page): Promise<string> {
  const others = await page.evaluate(async () => {
    const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        found.push(request.url, await (await cache.match(request))!.text())
      }
    }
    return found.join('\n')
  })
  return others + JSON.stringify(await readDatabases(page))
}

const readDatabases = (page: Page) =>
  page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page, which has nothing of this file
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('Not to be read')))
      })
    const found: { keys: string[]; values: unknown[] }[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name!))
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store)
        const [keys, values] = await Promise.all([answer(rows.getAllKeys()), answer(rows.getAll())])
        found.push({ keys: keys.map(String), values })
      }
      database.close()
    }
    return found
  })

/** Makes the kept session one that has to be renewed before anything can be read. */
export const expireSession = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('auth-token'))!
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage[key]), expires_at: 1_600_000_000 }))
  })
