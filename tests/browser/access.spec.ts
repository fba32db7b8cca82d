import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

/** Axe's findings for WCAG 2.2, A and AA, as lines to read. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
  )
}

for (const [device, viewport] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 375, height: 812 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport })

    test('axe finds nothing, signed out and with an error told', async ({ page, sample }) => {
      await page.goto(sample.url)
      await expect(page.getByLabel('Email')).toBeVisible()
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('alert')).not.toBeEmpty()
      expect(await findings(page)).toEqual([])
    })

    test('axe finds nothing on the log: at rest, edited, with the calendar and with the question open', async ({
      page,
      sample,
    }) => {
      await openMainScreen(page, sample.url)
      expect(await findings(page)).toEqual([])
      await bikes(page).getByRole('button').first().click()
      await expect(page.getByRole('row').last()).toContainText('Total Cost:')
      await expect(page.getByText(/^Total Miles [\d,]+/)).toBeVisible()
      expect(await findings(page)).toEqual([])

      const row = page.getByRole('row').nth(1)
      await row.getByRole('textbox', { name: 'Name' }).fill('')
      expect(await findings(page)).toEqual([])
      await row.getByRole('textbox', { name: 'Name' }).press('Escape')

      await row.getByRole('textbox', { name: 'Start' }).focus()
      await expect(page.locator('.react-datepicker')).toBeVisible()
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('Escape')

      await row.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
      expect(await findings(page)).toEqual([])
    })

    test('axe finds nothing on the rides', async ({ page, sample }) => {
      await openMainScreen(page, sample.url)
      await bikes(page).getByRole('button').first().click()
      await page.getByRole('tab', { name: 'Rides' }).click()
      await expect(page.getByRole('row').nth(2)).toBeVisible()
      expect(await findings(page)).toEqual([])
    })

    test('axe finds nothing on the cards for passwords and on the rides behind a number', async ({
      page,
      sample,
    }) => {
      await page.goto(sample.url)
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
      expect(await findings(page)).toEqual([])
      await openMainScreen(page, sample.url)
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(page.getByLabel('New password')).toBeVisible()
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: 'Not now' }).click()

      await bikes(page).getByRole('button').first().click()
      await page.getByRole('link', { name: /^Total Miles/ }).click()
      await expect(page.getByText(/ rides, the first /)).toBeVisible()
      expect(await findings(page)).toEqual([])
    })

    test('nothing is wider than the screen but the tables, which scroll', async ({ page, sample }) => {
      await openMainScreen(page, sample.url)
      await bikes(page).getByRole('button').first().click()
      await expect(page.getByRole('row').last()).toContainText('Total Cost:')
      for (const tab of ['Rides', 'Maintenance Log']) {
        await page.getByRole('tab', { name: tab }).click()
        await expect(page.getByRole('table')).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
      }
    })
  })
}
