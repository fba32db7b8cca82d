import type { Page } from '@playwright/test'
import { GRAVEL } from '../../sample/gear.ts'
import { axeViolations, expectAccessible, PHONE } from './axe.ts'
import { expect, openAccount, openMainScreen, test } from './fixtures.ts'

test.beforeEach(async ({ page, sample }) => {
  await openMainScreen(page, `${sample.url}/#bike=${GRAVEL}`)
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toBeVisible()
})

const menu = (page: Page) => page.getByRole('dialog', { name: 'Command menu' })
const option = (page: Page, name: string | RegExp) => menu(page).getByRole('option', { name })

const group = (page: Page, name: string) => menu(page).getByRole('group', { name })

async function open(page: Page, search: string) {
  await page.keyboard.press('Control+k')
  await menu(page).getByRole('combobox').fill(search)
}

test('opens from a field without changing it, and leads to bikes, tabs, the new row and log entries', async ({
  page,
}) => {
  const name = page.getByPlaceholder('+ Add New Maintenance')
  await name.fill('Half typed')
  await page.keyboard.press('Control+k')
  await expect(menu(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('no such thing')
  await expect(menu(page).getByRole('status')).toHaveText('Nothing found.')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(menu(page)).toHaveCount(0)
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Half typed')
  await name.press('Escape')

  await open(page, 'surly')
  await group(page, 'Bikes').getByRole('option', { name: 'Surly Cross-Check' }).click()
  await expect(page.getByRole('heading', { name: 'Surly Cross-Check' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()

  await open(page, 'rides')
  await option(page, /^Rides$/).click()
  await expect(page.getByRole('tab', { name: 'Rides' })).toHaveAttribute('aria-selected', 'true')

  await open(page, 'add row')
  await page.keyboard.press('Enter')
  await expect(name).toBeFocused()

  await open(page, 'antares domane')
  await expect(option(page, /^Fizik Antares R3/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Blue Domane' })).toBeVisible()
  await expect(page.locator('[value="Fizik Antares R3"]')).toBeFocused()
})

test('keeps what is typed while it loads', async ({ page }) => {
  const loading = Promise.withResolvers<void>()
  await page.route(/CommandMenu.*\.js$/, async (route) => {
    await loading.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('surly c')
  await expect(menu(page).getByRole('textbox')).toHaveValue('surly c')
  loading.resolve()
  await expect(menu(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('ross')
  await expect(menu(page).getByRole('combobox')).toHaveValue('surly cross')
  await expect(option(page, 'Surly Cross-Check').first()).toHaveAttribute('aria-selected', 'true')
})

test('runs an action, and its dialog returns the focus', async ({ page }) => {
  const tab = page.getByRole('tab', { name: 'Maintenance Log' })
  await tab.focus()
  await open(page, 'shortcuts')
  await page.keyboard.press('Enter')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.getByRole('row', { name: /Ctrl K/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tab).toBeFocused()

  await openAccount(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'What changed' })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(menu(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeFocused()

  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: PHONE, height: 844 })
  await page.getByRole('button', { name: /^Command menu/ }).click()
  await expect(group(page, 'Bikes').getByRole('option', { name: 'Warbird' })).toBeVisible()
  await expectAccessible(page, [PHONE])
})

test('where the table doesn’t fit, opens an entry, also one that has ended', async ({ page, sample }) => {
  await page.setViewportSize({ width: PHONE, height: 844 })
  await page.goto(`${sample.url}/#garage`)
  await page.getByRole('button', { name: /^Command menu/ }).click()
  await menu(page).getByRole('combobox').fill('cork')
  await option(page, /^Cork bar tape/).click()
  const entry = page.getByRole('dialog', { name: 'Cork bar tape' })
  await expect(entry.getByLabel('Cost')).toHaveValue('$22.00')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Details of Cork bar tape' })).toBeFocused()
})

test('marks a task done, adds tasks and entries, and moves parts', async ({ page }) => {
  await page.getByRole('button', { name: 'Garage' }).click()
  await open(page, 'done hub')
  await option(page, 'Done: Hub service Warbird').click()
  await expect(page.getByText('Hub service done: Warbird')).toBeVisible()

  await open(page, 'add task war')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add service task' })
  await expect(dialog).toContainText('Warbird')
  await page.keyboard.press('Escape')

  await open(page, 'move saddle domane')
  await option(page, 'Move Fizik Antares R3 … Blue Domane').click()
  const move = page.getByRole('dialog', { name: 'Move…' })
  await expect(move).toContainText('Fizik Antares R3')
  await move.getByLabel('To bike').selectOption('Surly Cross-Check')
  await expect(move.getByRole('group', { name: 'Comes off Surly Cross-Check' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()

  await open(page, 'add entry surly')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Surly Cross-Check' })).toBeVisible()
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toBeFocused()
})
