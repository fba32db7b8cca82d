import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { signIn as createSession, type OwnerClient } from '../owner.ts'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'
import { signIn } from './sign-in.ts'

interface Options {
  /** Gives a test a browser context of its own: for fake clocks, service workers and other settings of a context. */
  ownContext: boolean
}

interface Stacks {
  /** The embedded stack with the sample, shared by the tests of a worker. */
  sample: Running
  /** What the tests of a worker share. */
  shared: Shared
}

interface Shared {
  context?: BrowserContext
  /** A page that stays open between tests: its process then also runs their pages, which saves a fifth of the CPU time. */
  storage?: Page
}

export const test = base.extend<Options, Stacks>({
  sample: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const stack = await startSample()
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
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
  // The client's files stay cached and compiled, which saves a third of a test's CPU time. Playwright's setStorageState
  // would also empty that cache.
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

// In every test, the page must not throw or violate its Content-Security-Policy.
test.beforeEach(({ page }) => {
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
  page.on('console', (message) => expect.soft(message.text()).not.toContain('Content Security Policy'))
})

export { expect, signIn }

/** Opens the main screen as a signed-in owner, at a bike if the address names one. One sign-in serves the tests of a worker. */
export async function openMainScreen(page: Page, address: string, account: Account = {}) {
  const { origin } = new URL(address)
  const { data } = await (await signInOwner(origin, account)).auth.getSession()
  // Any file of the origin gives access to its storage. A context's first page is the one that stays open, if it has one.
  const storage = page.context().pages()[0]!
  const file = `${origin}/config.json`
  if (storage.url() !== file) await storage.goto(file)
  await storage.evaluate(
    (session) => localStorage.setItem('sb-127-auth-token', session),
    JSON.stringify(data.session),
  )
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
}

type Account = { email?: string; password?: string }
const clients = new Map<string, OwnerClient>()

/** A client that is signed in at `url`. Checking a password is slow by design, so tests share the session unless one of them ended it. */
export async function signInOwner(url: string, account: Account = {}): Promise<OwnerClient> {
  const key = `${url} ${JSON.stringify(account)}`
  const known = clients.get(key)
  const client = known && !(await known.auth.getUser()).error ? known : await createSession(url, account)
  clients.set(key, client)
  return client
}

export const bikes = (page: Page) => page.getByRole('group', { name: 'Bikes' })

export const openAccount = (page: Page) =>
  page.getByRole('button', { name: 'Account', exact: true }).press('Enter')

/** The texts of a table's column headers, the visually hidden ones too. */
export const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()
