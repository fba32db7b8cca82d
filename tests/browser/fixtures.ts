import { test as base, expect, type Page } from '@playwright/test'
import { signIn as createSession, type OwnerClient } from '../owner.ts'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'
import { signIn } from './sign-in.ts'

interface Stacks {
  /** The embedded stack with the sample, shared by the tests of a worker. */
  sample: Running
}

export const test = base.extend<object, Stacks>({
  sample: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const stack = await startSample()
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

// In every test, the page must not throw or violate its Content-Security-Policy.
test.beforeEach(({ page }) => {
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
  page.on('console', (message) => expect.soft(message.text()).not.toContain('Content Security Policy'))
})

export { expect, signIn }

/** Opens the main screen as a signed-in owner. One sign-in serves the tests of a worker; session.spec.ts tests the form. */
export async function openMainScreen(page: Page, url: string, account: Account = {}) {
  const { data } = await (await signInOwner(url, account)).auth.getSession()
  // Any file of the origin gives access to its storage.
  await page.goto(`${url}/config.json`)
  await page.evaluate(
    (session) => localStorage.setItem('sb-127-auth-token', session),
    JSON.stringify(data.session),
  )
  await page.goto(url)
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
