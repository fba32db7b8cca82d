import type { Page } from '@playwright/test'
import { COMMUTER } from '../../sample/gear.ts'
import { expectAccessible, PHONE } from './axe.ts'
import { expect, openAccount, openMainScreen, test } from './fixtures.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

const newName = (page: Page) => page.getByPlaceholder('+ Add New Maintenance')

test('? lists all shortcuts, except while typing, and can be turned off', async ({ page, sample }) => {
  await openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`)
  const tab = page.getByRole('tab', { name: 'Maintenance Log' })
  await tab.focus()
  await page.keyboard.press('?')
  for (const place of ['Anywhere', 'In the maintenance log', 'In a date field', 'On the tabs'])
    await expect(dialog(page).getByRole('rowheader', { name: place })).toBeVisible()
  await expectAccessible(page, [PHONE])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(tab).toBeFocused()

  // The date shortcuts do what the list says.
  const item = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: 'Details of Fenders and mudflaps', exact: true }) })
  const start = item.getByRole('textbox', { name: 'Start' })
  await start.focus()
  await start.fill('03/15/2024')
  await expect(page.locator('.react-datepicker')).toBeVisible()
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'PageDown', 'Enter'])
    await page.keyboard.press(key)
  await expect(start).toHaveValue('04/16/2024')
  await expect(start).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(start).not.toHaveValue('04/16/2024')

  await newName(page).focus()
  await page.keyboard.type('Chain?')
  await expect(newName(page)).toHaveValue('Chain?')
  await newName(page).press('Escape')
  await item.getByRole('combobox', { name: 'Type' }).press('?')
  await item.getByRole('button', { name: 'Delete' }).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  const button = page.getByRole('button', { name: 'Keyboard shortcuts' })
  await openAccount(page)
  await button.press('Enter')
  await dialog(page).getByRole('checkbox', { name: 'Open this list with ?' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeFocused()
  await page.reload()
  await expect(newName(page)).toBeVisible()
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
