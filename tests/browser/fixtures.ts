import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import type { Sql } from 'postgres'
import { signIn as createSession, type OwnerClient } from '../owner.ts'
import { prepareSample, startPrepared } from '../postgres.ts'
import type { Running } from '../running.ts'
import { copyRows } from './restore.ts'
import { signIn } from './sign-in.ts'

interface PerTest {
  /** The embedded stack with sample data, as if no other test had used it. */
  sample: Running
  /** Gives a test its own browser context, for fake clocks, service workers and context options. */
  ownContext: boolean
  /** The sample's database, for what only a sync writes. */
  sql: Sql
}

interface PerWorker {
  sharedSample: { tracker: Running; sql: Sql; restore: () => Promise<unknown> }
  shared: Shared
}

interface Shared {
  context?: BrowserContext
  /** Stays open between tests, so their pages run in its process, which saves a fifth of the CPU time. */
  storage?: Page
}

export const test = base.extend<PerTest, PerWorker>({
  sharedSample: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const prepared = await prepareSample()
      const tracker = await startPrepared(prepared)
      const { sql, restore } = await copyRows(prepared.environment.DATABASE_URL)
      await use({ tracker, sql, restore })
      await sql.end()
      await tracker.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  sample: async ({ sharedSample: { tracker, restore } }, use) => {
    await restore()
    clients.clear()
    await use(tracker)
  },
  sql: ({ sharedSample: { sql } }, use) => use(sql),
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const shared: Shared = {}
      await use(shared)
      await shared.context?.close()
    },
    { scope: 'worker' },
  ],
  ownContext: [false, { option: true }],
  // A shared context keeps the client's files cached and compiled, which saves a third of a test's CPU time. Playwright's
  // setStorageState would empty that cache, too.
  context: async ({ browser, shared, ownContext }, use) => {
    if (ownContext) {
      const context = await browser.newContext()
      await use(context)
      return context.close()
    }
    const context = (shared.context ??= await browser.newContext())
    const storage = (shared.storage ??= await context.newPage())
    await use(context)
    const opened = context.pages().filter((page) => page !== storage)
    const origins = new Set([storage, ...opened].map((page) => new URL(page.url()).origin))
    await Promise.all(opened.map((page) => page.close()))
    await context.clearPermissions()
    const devTools = await context.newCDPSession(storage)
    const storageTypes = 'local_storage,indexeddb,cookies'
    for (const origin of origins) await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes })
    return devTools.detach()
  },
  page: async ({ page, viewport }, use) => {
    await page.setViewportSize(viewport!)
    await use(page)
  },
})

// Fails a test if its page throws or violates the Content-Security-Policy.
test.beforeEach(({ page }) => {
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
  page.on('console', (message) => expect.soft(message.text()).not.toContain('Content Security Policy'))
})

export { expect, signIn }

/** Opens an address as a signed-in owner. */
export async function openMainScreen(page: Page, address: string, account: Account = {}) {
  const { origin } = new URL(address)
  const { data } = await (await signInOwner(origin, account)).auth.getSession()
  // Any page of an origin can access its storage. In a shared context, the first page is the one that stays open.
  const storage = page.context().pages()[0]!
  const file = `${origin}/config.json`
  if (storage.url() !== file) await storage.goto(file)
  await storage.evaluate(
    (session) => localStorage.setItem('sb-127-auth-token', session),
    JSON.stringify(data.session),
  )
  await page.goto(address)
  await page.getByRole('button', { name: 'Sign Out' }).waitFor()
}

type Account = { email?: string; password?: string }
const clients = new Map<string, OwnerClient>()

/** Reuses a session until a test ends it, because checking a password is slow by design. */
export async function signInOwner(url: string, account: Account = {}): Promise<OwnerClient> {
  const key = `${url} ${JSON.stringify(account)}`
  const known = clients.get(key)
  const client = known && !(await known.auth.getUser()).error ? known : await createSession(url, account)
  clients.set(key, client)
  return client
}

export const bikes = (page: Page) => page.getByRole('group', { name: 'Bikes' })

/** The widths and heights of phones and tablets in portrait and landscape. */
export const SMALL_WINDOWS = [
  [320, 700],
  [390, 844],
  [820, 1180],
  [844, 390],
  [1024, 768],
] as const

export async function openAccount(page: Page) {
  await page.getByRole('button', { name: 'Account', exact: true }).press('Enter')
  // The browser opens the menu before React renders its content.
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible()
}

export async function openSettings(page: Page) {
  await openAccount(page)
  await page.getByRole('button', { name: 'Settings' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
}

/** Lists column headers, including visually hidden headers. */
export const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()
