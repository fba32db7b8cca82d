import type { Locator, Page } from '@playwright/test'
import { axeViolations, expectAccessible, PHONE } from './axe.ts'
import { expect, openAccount, openMainScreen, signIn, signInOwner, test } from './fixtures.ts'

// The bike with the shortest log, because axe checks every element.
const BIKE = 'Surly Cross-Check'

const log = (page: Page) => page.getByRole('table')
const usageLink = (row: Locator) => row.getByRole('link', { name: /\smi$/ })

async function oldestEntry(page: Page, url: string) {
  const owner = await signInOwner(url)
  const { data } = await owner
    .from('bikes')
    .select('gear_id, maintenance(id, part_id)')
    .eq('name', BIKE)
    .order('dateStarted', { referencedTable: 'maintenance' })
    .limit(1, { referencedTable: 'maintenance' })
    .single()
  const [{ id, part_id } = { id: 0, part_id: 0 }] = data!.maintenance
  return { address: `${url}/#bike=${data!.gear_id}`, row: page.locator(`[data-item="${id}"]`), part_id }
}

test('moves the focus from sign-in to the rides, without axe violations on any screen', async ({
  page,
  sample,
}) => {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const main = page.getByRole('main')
  const { row } = await oldestEntry(page, sample.url)
  await page.goto(sample.url)
  await expect(page.getByLabel('Email')).toBeFocused()
  await press('Sign in')
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expectAccessible(page)
  await press('Forgot password?')
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectAccessible(page)
  await press('Back')
  await expect(page.getByLabel('Email')).toBeFocused()

  await signIn(page)
  await expect(main.getByRole('heading').first()).toBeFocused()
  await press('Sign Out')
  await expect(page.getByLabel('Email')).toBeFocused()
  await signIn(page)
  await expect(main.getByRole('heading').first()).toBeFocused()
  await expect(page.getByRole('button', { name: BIKE, exact: true })).toBeVisible()
  await openAccount(page)
  await expectAccessible(page, [PHONE])
  await press('Settings')
  await expect(main).toBeFocused()
  await press('Change password')
  await expect(page.getByLabel('New password')).toBeFocused()
  await expectAccessible(page, [PHONE])
  await press('Cancel')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeFocused()

  await page.setViewportSize({ width: 1440, height: 900 })
  await press(BIKE)
  await usageLink(row).press('Enter')
  await expect(page.getByText(/^Rides on “/)).toBeFocused()
  await expect(page.getByText(/ rides, the first /)).toBeVisible()
  await expectAccessible(page, [PHONE])
  await page.getByRole('link', { name: 'Back to the log' }).press('Enter')
  await expect(page.getByRole('tab', { name: 'Maintenance Log' })).toBeFocused()

  await page.setViewportSize({ width: 1440, height: 900 })
  await usageLink(row).press('Enter')
  await page.getByRole('link', { name: 'Show all rides' }).press('Enter')
  const search = page.getByRole('search')
  await expect(search).toBeFocused()
  await page.getByLabel('Search names').fill('no such name')
  await press('Show all')
  await expect(search).toBeFocused()
})

test('the log fits the window and has no axe violations with a draft, earlier usage, the calendar or a dialog', async ({
  page,
  sample,
}) => {
  const { address, row, part_id } = await oldestEntry(page, sample.url)
  const earlier = { earlier_distance: 1_930_800, earlier_moving_time: 288_000 }
  await (await signInOwner(sample.url)).from('parts').update(earlier).eq('id', part_id)
  await openMainScreen(page, address)
  await expect(page.getByText(/^Total Miles [\d,]+/)).toBeVisible()
  await expect(row).toContainText('mi totalincl. 1,200 mi before this log')
  await expect(usageLink(row)).toBeVisible()

  const calendar = page.locator('.react-datepicker')
  const dialog = page.getByRole('alertdialog')
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  for (const width of [1440, PHONE]) {
    await page.setViewportSize({ width, height: 812 })
    const isPhone = width === PHONE
    if (isPhone) {
      await row.getByRole('button', { name: /^Details of / }).click()
      await expect(page.getByText('Before this log: 1,200 mi, 80 h')).toBeVisible()
    }
    const editor = isPhone ? page.getByRole('dialog') : row
    const name = editor.getByRole('textbox', { name: 'Name' })
    await name.fill('')
    await expectAccessible(page, [width])
    await name.press('Escape')

    for (const field of ['End', 'Start']) {
      await editor.getByRole('textbox', { name: field }).click()
      await expect(calendar).toBeInViewport({ ratio: 1 })
    }
    // Phones show the same calendar and dialog, so check them only once.
    if (!isPhone) expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await editor.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog).toBeVisible()
    if (!isPhone) expect(await axeViolations(page)).toEqual([])
    await cancel.click()

    await name.fill('Half typed')
    if (isPhone) await editor.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    const [button, question] = [await cancel.boundingBox(), await dialog.getByRole('heading').boundingBox()]
    expect(button!.x).toBeGreaterThanOrEqual(question!.x)
    await cancel.click()
    if (!isPhone) await name.press('Escape')
  }
})

test('the first Tab focuses a skip link that keeps the address, and the header fits at 320 px', async ({
  page,
  sample,
}) => {
  const { address } = await oldestEntry(page, sample.url)
  await openMainScreen(page, address)
  await expect(log(page)).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport({ ratio: 1 })
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  expect(page.url()).toBe(address)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toBeVisible()

  // Nothing in the header may overlap.
  await page.setViewportSize({ width: 320, height: 640 })
  for (const name of ['Account', 'Sign Out', 'Sample data'])
    await page.getByRole('button', { name, exact: true }).click({ trial: true })
  const [title, account] = await Promise.all([
    page.getByRole('heading', { level: 1 }).boundingBox(),
    page.getByRole('button', { name: 'Account', exact: true }).boundingBox(),
  ])
  expect(title!.x + title!.width).toBeLessThanOrEqual(account!.x)
})
