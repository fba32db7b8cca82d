import { ROAD } from '../../sample/gear.ts'
import { axeViolations } from './axe.ts'
import { expect, openMainScreen, test } from './fixtures.ts'
import { delayRequests } from './log-page.ts'

const SADDLE = /^Fizik Antares R3, 07\/31\/2021 – today, [\d,]+\.\d\smi$/

test('shows the log as a timeline that links to the details, and prints the parts on a day', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}`)
  await page.getByRole('radio', { name: 'Timeline' }).check()
  const timeline = page.getByRole('group', { name: /^Timeline of the log/ })
  await expect(timeline.getByRole('link', { name: SADDLE })).toBeVisible()
  await expect(timeline.getByRole('link', { name: 'Bike fit, 03/09/2024', exact: true })).toBeVisible()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await expect(timeline.locator('[tabindex="0"]')).toHaveCount(1)
  const frame = timeline.getByRole('link', { name: /^Trek Domane/ })
  await frame.focus()
  await page.keyboard.press('ArrowDown')
  await expect(timeline.getByRole('link', { name: /^Bontrager Affinity Disc, 11\/07\/2020/ })).toBeFocused()
  await page.keyboard.press('+')
  await expect(page.getByLabel('Years')).toHaveValue('2020')
  await expect(timeline.getByRole('link', { name: SADDLE })).toHaveCount(0)
  await page.keyboard.press('-')
  await timeline.getByRole('link', { name: SADDLE }).press('Enter')
  await expect(page.getByRole('region', { name: 'Details of Fizik Antares R3' })).toBeVisible()
  await page.goBack()
  await expect(timeline).toBeVisible()

  const day = page.getByLabel('Show parts on', { exact: true })
  await day.fill('1/1/2022')
  const panel = page.getByRole('region', { name: 'Parts on 01/01/2022' })
  await expect(panel.getByRole('row', { name: /Fizik Antares R3/ })).toContainText(/[\d,]+\.\d\smi/)
  await expect(panel.getByRole('row', { name: /Bontrager P3 saddle/ })).toHaveCount(0)
  const summary = page.getByRole('button', { name: 'On 01/01/2022: 9 parts', exact: true })
  await summary.click()
  await expect(panel).toBeFocused()

  // On a phone, the parts are directly below the date.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(summary).toHaveCount(0)
  const [field, list] = [await day.boundingBox(), await panel.boundingBox()]
  expect(list!.y - field!.y - field!.height).toBeLessThan(30)
  await page.setViewportSize({ width: 1440, height: 900 })

  await day.fill('1/1/2019')
  await expect(page.getByText('The log starts on 11/07/2020.')).toBeVisible()
  await day.fill('1/1/2099')
  await expect(page.getByText(/^Choose a day up to today/)).toBeVisible()
  await day.fill('1/1/2022')
  await panel.getByRole('link', { name: 'Print this list' }).click()
  const sheet = page.getByRole('article', { name: 'Blue Domane' })
  await expect(sheet.getByRole('row', { name: /Fizik Antares R3/ })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
  await expect(sheet.getByText('01/01/2022: 9 parts on the bike')).toBeVisible()
})

test('shows no scale until the monthly miles are loaded', async ({ page, sample }) => {
  const { release } = await delayRequests(page, '**/functions/v1/maintenance-use', 'POST')
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}&view=timeline`)
  const timeline = page.getByRole('group', { name: /^Timeline of the log/ })
  const months = timeline.getByRole('img', { name: /^Miles per month, at most [1-9]/ })
  await expect(timeline.getByRole('link', { name: /^Trek Domane/ })).toBeVisible()
  await expect(timeline.getByText('mi per month')).toHaveCount(0)
  release()
  await expect(months).toBeVisible()
})
