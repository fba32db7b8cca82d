import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

const LINES = "RWGPS_API_KEY=your-api-key\nRWGPS_EMAIL=you@example.com\nRWGPS_PASSWORD='your-password'"

const guide = (page: Page) => page.getByRole('region', { name: 'This is sample data' })
const badge = (page: Page) => page.getByRole('button', { name: 'Sample data' })

test.beforeEach(({ page, sample }) => openMainScreen(page, sample.url))

test('explains the sample and how to connect, with the same lines as the README', async ({
  page,
  context,
}) => {
  await expect(guide(page)).toContainText('made-up rider')
  await expect(guide(page)).toContainText('supabase/functions/.env')
  expect((await readFile('README.md', 'utf8')).replaceAll(/^ +/gm, '')).toContain(LINES)

  await expect(guide(page).getByText(/^The tracker keeps a maintenance log/)).toBeVisible()
  await guide(page).getByText('How to use your own rides').click()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await guide(page).getByRole('button', { name: 'Copy the lines' }).press('Enter')
  await expect(guide(page).getByRole('button', { name: 'Copy the lines' })).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LINES)
})

test('shows an error if copying is blocked', async ({ page }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'))
  })
  await guide(page).getByText('How to use your own rides').click()
  await guide(page).getByRole('button', { name: 'Copy the lines' }).click()
  await expect(page.getByRole('alert')).toContainText('Select them and copy them by hand')
})

test('stays dismissed until the badge in the header is pressed', async ({ page }) => {
  await guide(page).getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(guide(page)).toHaveCount(0)
  await expect(badge(page)).toBeFocused()
  await expect(badge(page)).toHaveAttribute('aria-expanded', 'false')
  await page.reload()
  await expect(badge(page)).toBeVisible()
  await expect(guide(page)).toHaveCount(0)
  await badge(page).press('Enter')
  await expect(guide(page)).toBeVisible()
})

for (const width of [1440, 375]) {
  test(`leaves the log to its bike until the badge is pressed, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 812 })
    await expect(guide(page)).toBeVisible()
    await bikes(page).getByRole('button').first().click()
    await expect(page.getByRole('button', { name: /^Details of / }).first()).toBeInViewport({ ratio: 1 })
    await expect(guide(page)).toHaveCount(0)
    await badge(page).press('Enter')
    await expect(guide(page)).toBeVisible()
  })
}

test('has no axe violations', async ({ page }) => {
  await guide(page).getByText('How to use your own rides').click()
  await expect(guide(page).getByText('npm run doctor')).toBeVisible()
  await expectAccessible(page)
})
