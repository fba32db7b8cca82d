import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

const LINES = "RWGPS_API_KEY=your-api-key\nRWGPS_EMAIL=you@example.com\nRWGPS_PASSWORD='your-password'"

const guide = (page: Page) => page.getByRole('region', { name: 'This is sample data' })
const mark = (page: Page) => page.getByRole('button', { name: 'Sample data' })

test.beforeEach(({ page, sample }) => openMainScreen(page, sample.url))

test('a newcomer reads what this is and what to write into which file, the lines of the README', async ({
  page,
  context,
}) => {
  await expect(guide(page)).toContainText('made-up rider')
  await expect(guide(page)).toContainText('supabase/functions/.env')
  expect((await readFile('README.md', 'utf8')).replaceAll(/^ +/gm, '')).toContain(LINES)

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await guide(page).getByRole('button', { name: 'Copy the lines' }).press('Enter')
  await expect(guide(page).getByRole('button', { name: 'Copy the lines' })).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LINES)
})

test('where nothing may be copied, it says so', async ({ page }) => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'))
  })
  await guide(page).getByRole('button', { name: 'Copy the lines' }).click()
  await expect(page.getByRole('alert')).toContainText('select them, and copy them by hand')
})

test('once dismissed it stays away, until the mark in the header is pressed', async ({ page }) => {
  await guide(page).getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(guide(page)).toHaveCount(0)
  await expect(mark(page)).toBeFocused()
  await expect(mark(page)).toHaveAttribute('aria-expanded', 'false')
  await page.reload()
  await expect(mark(page)).toBeVisible()
  await expect(guide(page)).toHaveCount(0)
  await mark(page).press('Enter')
  await expect(guide(page)).toBeVisible()
})

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 812 } })

    test('the log is in view below it, and the steps are there when asked for', async ({ page }) => {
      await bikes(page).getByRole('button').first().click()
      await expect(guide(page)).toBeVisible()
      await expect(page.getByRole('row').nth(3).getByRole('combobox')).toBeInViewport({ ratio: 1 })
      await expect(guide(page).getByText('npm run doctor')).toBeHidden()
      await guide(page).getByText('how to connect your own').press('Enter')
      await expect(guide(page).getByText('npm run doctor')).toBeVisible()
    })

    test('axe finds nothing in it', async ({ page }) => {
      await expect(guide(page).getByText('npm run doctor')).toBeVisible()
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      expect(violations).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })
  })
}
