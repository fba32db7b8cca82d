import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { freePort } from '../../embedded/port.ts'
import { expect, openMainScreen, signInOwner, test as base } from './fixtures.ts'

interface Tracker {
  url: string
  down(): Promise<void>
  up(): Promise<void>
}

export const test = base.extend<{ tracker: Tracker }>({
  /** The worker's sample behind a proxy, which can go down and up quickly. */
  // Not a worker fixture, because these tests would then need workers and trackers of their own.
  tracker: async ({ sample }, use) => {
    const port = await freePort()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      const tracker = connect(Number(new URL(sample.url).port), '127.0.0.1')
      for (const end of [socket, tracker]) {
        sockets.add(end)
        end.on('error', () => undefined).on('close', () => sockets.delete(end))
      }
      socket.pipe(tracker).pipe(socket)
      socket.on('close', () => tracker.destroy())
      tracker.on('close', () => socket.destroy())
    })
    const down = async () => {
      if (!server.listening) return
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    }
    const up = async () => {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    }
    await up()
    await use({ url: `http://127.0.0.1:${port}`, down, up })
    await down()
  },
})

export { expect }

export const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Offline.' })

/** Signs in, opens a bike's log, and waits until the app and all its data are cached. */
export async function visit(page: Page, url: string, bike: string) {
  const owner = await signInOwner(url)
  const { data } = await owner.from('bikes').select('gear_id').eq('name', bike).single()
  await openMainScreen(page, `${url}/#bike=${data!.gear_id}`)
  await page.evaluate(() => navigator.serviceWorker?.ready)
  const cached = ['bikes', 'log', 'rides', 'usage'].map((name) => expect.stringMatching(`/${name}\\b`))
  await expect.poll(() => cacheKeys(page)).toEqual(expect.arrayContaining(cached))
}

/** Visits one bike, and waits until all that other bikes need offline is there. */
export async function visitAll(page: Page, url: string, bike: string) {
  await visit(page, url, bike)
  const owner = await signInOwner(url)
  const { data } = await owner.from('bikes').select('gear_id')
  const all = data!.flatMap(({ gear_id }) => [`/log/${gear_id}`, `/usage/${gear_id}`])
  await expect
    .poll(() => cacheKeys(page))
    .toEqual(
      expect.arrayContaining([
        ...all.map((name) => expect.stringContaining(name)),
        ...['due', 'items', 'stored'].map((name) => expect.stringMatching(`/${name}$`)),
      ]),
    )
}

export const cacheKeys = async (page: Page) => (await readDatabases(page)).flatMap(({ keys }) => keys)

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
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page, without this file's scope
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

/** Expires the stored session and applies `changes` to it, so the client must refresh it before reading anything. */
export const expireSession = (page: Page, changes: object = {}) =>
  page.evaluate((changes) => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('auth-token'))!
    const session = { ...JSON.parse(localStorage[key]), expires_at: 1_600_000_000, ...changes }
    localStorage.setItem(key, JSON.stringify(session))
  }, changes)

export const storedUser = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('auth-token'))!
    return JSON.parse(localStorage[key]).user as { id: string }
  })
