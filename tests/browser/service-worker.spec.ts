import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { builtVersion, entryOf, nextVersion, startHost, type Version } from './versions.ts'

test.use({ serviceWorkers: 'allow', ownContext: true })

let first: Version
let host: Awaited<ReturnType<typeof startHost>>
test.beforeAll(async () => {
  first = await builtVersion()
})
test.beforeEach(async ({ page }) => {
  host = await startHost(first)
  await page.goto(host.url)
  await expect.poll(() => cachedVersions(page)).toHaveLength(1)
})
test.afterEach(() => host.close())

/** Returns the fully cached versions, oldest first. */
const cachedVersions = (page: Page) =>
  page.evaluate(async () => {
    const versions: string[] = []
    for (const name of await caches.keys()) {
      if (await (await caches.open(name)).match('/config.json')) versions.push(name.replace('shell-', ''))
    }
    return versions
  })

const expectTitleAfterReload = async (page: Page, title: string) => {
  await page.reload()
  await expect(page).toHaveTitle(title)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
}

test(
  'a reload gets the new version, and an open tab can still load its old chunks',
  { tag: '@machine' },
  async ({ page }) => {
    const second = nextVersion(first, 'second')
    const old = await page.context().newPage()
    await old.goto(host.url)
    host.serve(second)

    await expectTitleAfterReload(page, 'second')
    await expect.poll(() => cachedVersions(page)).toContain('second')
    const status = await old.evaluate(async (entry) => (await fetch(entry)).status, entryOf(first))
    expect([second.has(entryOf(first)), status]).toEqual([false, 200])

    host.serve(undefined)
    await expectTitleAfterReload(page, 'second')

    const third = nextVersion(second, 'third')
    host.serve(third)
    await expectTitleAfterReload(page, 'third')
    await expect.poll(() => cachedVersions(page)).toEqual(['second', 'third'])
  },
)

test(
  'an incomplete deployment does not replace the cached version',
  { tag: '@machine' },
  async ({ page }) => {
    const second = nextVersion(first, 'second')
    host.serve(new Map([...second, ['/', first.get('/')!], [entryOf(first), first.get(entryOf(first))!]]))
    await expectTitleAfterReload(page, 'RWGPS Maintenance Tracker')
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
      const { installing } = registration
      if (installing === null) return
      await new Promise((resolve) => installing.addEventListener('statechange', resolve))
    })
    expect(await cachedVersions(page)).not.toContain('second')
    host.serve(undefined)
    await expectTitleAfterReload(page, 'RWGPS Maintenance Tracker')
  },
)

test('a push message becomes a notification, and a click on it opens the Garage', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'], { origin: host.url })
  const [worker] = context.serviceWorkers()
  await worker!.evaluate(() => {
    if (Notification.permission === 'granted') return
    // Chromium's headless shell can't show notifications.
    const { registration } = globalThis as unknown as { registration: object }
    const shown: object[] = []
    Object.assign(registration, {
      showNotification: async (title: string, { body }: NotificationOptions) => shown.push({ title, body }),
      getNotifications: async () => shown,
    })
  })
  const deliver = await pushTo(page)
  await deliver(JSON.stringify({ title: '2 tasks due', body: 'Wax (Chain, Warbird), Wash (Warbird)' }))
  await deliver('not JSON')
  await deliver(JSON.stringify({ title: 'x'.repeat(200), body: '<b>' }))
  const shown = () =>
    worker!.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`).toSorted()
    })
  await expect
    .poll(shown)
    .toEqual([
      '2 tasks due: Wax (Chain, Warbird), Wash (Warbird)',
      'Service is due: ',
      `${'x'.repeat(100)}: <b>`,
    ])

  await page.evaluate(() => (location.hash = '#bike=1'))
  await worker!.evaluate(() => {
    const nothing = { close: () => undefined, waitUntil: () => undefined }
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification: nothing, ...nothing }))
  })
  await expect(page).toHaveURL(`${host.url}/#garage`)
})

async function pushTo(page: Page): Promise<(data: string) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  return (data) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: host.url, registrationId, data })
}
