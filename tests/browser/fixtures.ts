import { test as base, expect, type Page } from '@playwright/test'
import { start, temporaryFolder, type Running } from '../running.ts'
import { signIn } from './sign-in.ts'

interface Stacks {
  /** The embedded stack with the sample, shared by the tests of a worker. */
  sample: Running
}

export const test = base.extend<object, Stacks>({
  sample: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names out of the pattern
    async ({}, use) => {
      const { folder, remove } = await temporaryFolder()
      const stack = await start({ TRACKER_DATA_DIR: folder })
      await use(stack)
      await stack.stop()
      await remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

// Whatever a test is about: the page never does what its Content-Security-Policy forbids, and never throws.
test.beforeEach(({ page }) => {
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
  page.on('console', (message) => expect.soft(message.text()).not.toContain('Content Security Policy'))
})

export { expect, signIn }

/** Signs in at `url` and waits for the main screen. */
export async function openMainScreen(
  page: Page,
  url: string,
  account?: { email?: string; password?: string },
) {
  await page.goto(url)
  await signIn(page, account)
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
}

export const bikes = (page: Page) => page.getByRole('group', { name: 'Bikes' })

/** The texts of a table's column headers, the visually hidden ones too. */
export const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()
