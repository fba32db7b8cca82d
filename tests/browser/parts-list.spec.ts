import { findings } from './axe.ts'
import { bikes, expect, openAccount, openMainScreen, test, signInOwner } from './fixtures.ts'

const BIKE = 'Surly Cross-Check'

test('prints every entry of a bike with the totals, and nothing else', async ({ page, sample }) => {
  const owner = await signInOwner(sample.url)
  const { data: bike } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
  const { data: items } = await owner.from('maintenance').select('name, cost').eq('bikeId', bike!.gear_id)
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: BIKE }).click()
  const log = page.getByRole('table')
  await expect(log.getByText(/^[\d,]+\.\d\u00a0mi$/).first()).toBeVisible()

  await openAccount(page)
  await page.getByRole('button', { name: 'Parts list' }).click()
  const sheet = page.getByRole('article', { name: BIKE })
  await expect(page).toHaveTitle(`${BIKE} · Parts list · RWGPS Maintenance Tracker`)
  await expect(page.getByRole('main')).toBeFocused()
  for (const { name } of items!) await expect(sheet.getByText(name, { exact: true }).first()).toBeVisible()
  const total = items!.reduce((sum, { cost }) => sum + cost, 0)
  const dollars = total.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  await expect(sheet.getByRole('row').last()).toHaveText(`Total Cost:${dollars}`)
  await expect(sheet.getByRole('cell', { name: /^[\d,]+\.\d\smi$/ })).toHaveCount(items!.length)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }

  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toBeVisible()
  for (const control of ['button', 'link', 'banner'] as const)
    await expect(page.getByRole(control).filter({ visible: true })).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('link', { name: 'Back to the log' }).click()
  await expect(page.getByRole('tab', { name: 'Maintenance Log' })).toBeVisible()
})

test('prints the log on white without controls', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: BIKE }).click()
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
  await page.emulateMedia({ media: 'print' })
  // The headers sort the log on the screen.
  await expect(page.locator('button:not(th *)').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toBeHidden()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})
