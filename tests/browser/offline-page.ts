import type { Page } from '@playwright/test'
import { prepareSample } from '../postgres.ts'
import { start, type Running } from '../running.ts'
import { bikes, expect, openMainScreen, test as base } from './fixtures.ts'

interface Fixtures {
  /** A stack that can be stopped and restarted at the same address. It runs before each test. */
  tracker: { url: string; down(): Promise<void>; up(): Promise<void> }
}

export const test = base.extend<
  Fixtures,
  { restartable: { environment: Record<string, string>; running: Running | null; port: string } }
>({
  restartable: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const { environment, remove } = await prepareSample()
      const running = await start(environment)
      const stack = { environment, running: running as Running | null, port: new URL(running.url).port }
      await use(stack)
      await stack.running?.stop()
      await remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  tracker: async ({ restartable: stack }, use) => {
    const down = async () => {
      await stack.running?.stop()
      stack.running = null
    }
    const up = async () => {
      stack.running ??= await start({ ...stack.environment, PORT: stack.port })
    }
    await up()
    await use({ url: `http://127.0.0.1:${stack.port}`, down, up })
  },
})

export { expect }

export const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Offline.' })

/** Signs in, opens a bike's log and rides, and waits until all data is cached. */
export async function visit(page: Page, url: string, bike: string) {
  await openMainScreen(page, url)
  await page.evaluate(() => navigator.serviceWorker?.ready)
  await bikes(page).getByRole('button', { name: bike }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await expect(page.getByRole('link', { name: /\d\smi$/ }).first()).toBeVisible()
  const cached = ['bikes', 'log', 'rides', 'usage'].map((name) => expect.stringMatching(`/${name}\\b`))
  await expect.poll(() => cacheKeys(page)).toEqual(expect.arrayContaining(cached))
}

/** The keys of the cached data. */
export const cacheKeys = async (page: Page) => (await readDatabases(page)).flatMap(({ keys }) => keys)

/** Everything that the browser stores for the tracker, as text. */
export async function allStoredData(page: Page): Promise<string> {
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
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page, without this file's scope
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('Unreadable')))
      })
    const found: { keys: string[]; values: unknown[] }[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await settle(indexedDB.open(name!))
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store)
        const [keys, values] = await Promise.all([settle(rows.getAllKeys()), settle(rows.getAll())])
        found.push({ keys: keys.map(String), values })
      }
      database.close()
    }
    return found
  })

/** Expires the stored session, so it must be refreshed before anything can be read. */
export const expireSession = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('auth-token'))!
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage[key]), expires_at: 1_600_000_000 }))
  })
