import type { Page } from '@playwright/test'
import { findings } from './axe.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

test.beforeEach(async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button').first().click()
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('? shows all shortcuts in a table, Escape closes it, and the focus is where it was', async ({
  page,
}) => {
  const tab = page.getByRole('tab', { name: 'Maintenance Log' })
  await tab.focus()
  await page.keyboard.press('?')
  await expect(dialog(page).getByRole('row')).not.toHaveCount(0)
  for (const place of ['Everywhere', 'In the maintenance log', 'In a date', 'On the tabs'])
    await expect(dialog(page).getByRole('rowheader', { name: place })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(tab).toBeFocused()
})

test('while one types, ? is a question mark', async ({ page }) => {
  const name = page.getByPlaceholder('+ Add New Maintenance')
  await name.focus()
  await page.keyboard.type('Chain?')
  await expect(name).toHaveValue('Chain?')
  await page.getByRole('row').nth(1).getByRole('combobox', { name: 'Type' }).press('?')
  await page.getByRole('row').nth(1).getByRole('button', { name: 'Delete' }).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
})

test('the key can be switched off, which is remembered; the button always works', async ({ page }) => {
  const button = page.getByRole('button', { name: 'Keyboard shortcuts' })
  await button.press('Enter')
  await dialog(page).getByRole('checkbox', { name: 'Open this table with ?' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(button).toBeFocused()
  await page.reload()
  await expect(button).toBeVisible()
  await page.keyboard.press('?')
  await button.click()
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page)).not.toContainText('Show this table')
  await dialog(page).getByRole('checkbox').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(dialog(page)).toBeVisible()
})

test('what the table says of dates is so', async ({ page }) => {
  const start = page.getByRole('row').nth(1).getByRole('textbox', { name: 'Start' })
  await start.focus()
  await start.fill('03/15/2024')
  await expect(page.locator('.react-datepicker')).toBeVisible()
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'PageDown', 'Enter'])
    await page.keyboard.press(key)
  await expect(start).toHaveValue('04/16/2024')
  await expect(start).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(start).not.toHaveValue('04/16/2024')
})

for (const width of [1440, 375]) {
  test(`axe finds nothing with the table open at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 812 })
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expect(dialog(page)).toBeVisible()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
}
