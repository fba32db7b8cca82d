import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { bikes, expect, openAccount, openMainScreen, test } from './fixtures.ts'

test.beforeEach(async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button').first().click()
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('? lists all shortcuts, and Escape closes the list and restores the focus', async ({ page }) => {
  const tab = page.getByRole('tab', { name: 'Maintenance Log' })
  await tab.focus()
  await page.keyboard.press('?')
  await expect(dialog(page).getByRole('row')).not.toHaveCount(0)
  for (const place of ['Anywhere', 'In the maintenance log', 'In a date field', 'On the tabs'])
    await expect(dialog(page).getByRole('rowheader', { name: place })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(tab).toBeFocused()
})

test('? does nothing while typing', async ({ page }) => {
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

test('the key can be turned off and stays off, but the button still works', async ({ page }) => {
  const button = page.getByRole('button', { name: 'Keyboard shortcuts' })
  await openAccount(page)
  await button.press('Enter')
  await dialog(page).getByRole('checkbox', { name: 'Open this list with ?' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  await page.keyboard.press('?')
  await openAccount(page)
  await button.click()
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page)).not.toContainText('Show this list')
  await dialog(page).getByRole('checkbox').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(dialog(page)).toBeVisible()
})

test('date shortcuts do what the list says', async ({ page }) => {
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

test('the list has no axe violations', async ({ page }) => {
  await openAccount(page)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
})
