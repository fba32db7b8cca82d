import type { Page } from '@playwright/test'
import { expect, openMainScreen, test, signInOwner } from './fixtures.ts'
import { expectCount, header, names, readBike, rideAt, sortBy, totals } from './rides-page.ts'

async function choose(page: Page, name: 'miles' | 'kilometers') {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(`use ${name}`)
  await page.keyboard.press('Enter')
}

const cutOff = (cells: Element[]) =>
  cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)

// src/lib/formats.test.ts, ride-csv.test.ts and log-csv.test.ts test the numbers.
test('switching the units with the keyboard updates every number, and changes nothing else', async ({
  page,
  sample,
}) => {
  const bike = await readBike(await signInOwner(sample.url), 'Blue Domane')
  await openMainScreen(page, `${sample.url}/#bike=${bike.gear_id}`)
  const total = page.getByRole('link', { name: /^Total / })
  await expect(total).toHaveText(/^Total Miles [\d,]+\.\d\smi$/)
  // A part that has always been on the bike.
  const frame = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Details of Trek/ }) })
  await expect(frame).toContainText(/\d\smi/)
  const name = frame.getByRole('textbox', { name: 'Name' })
  await name.fill('Not saved yet')

  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await choose(page, 'kilometers')
  const meters = bike.rides.reduce((sum, ride) => sum + (ride.distance ?? 0), 0)
  const distance = (meters / 1000).toLocaleString('en-US', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  await expect(total).toHaveText(`Total Kilometers ${distance} km`)
  await expect(header(page, 'Use Kilometers')).toBeVisible()
  await expect(header(page, 'Use Miles')).toHaveCount(0)
  await expect(frame).toContainText(/\d\skm/)
  await expect(frame).not.toContainText(/\d\smi/)
  await expect(name).toHaveValue('Not saved yet')
  await name.press('Escape')
  // The command menu reads all log entries. The bike's rides may still be loading in the background for the Rides tab.
  expect(
    requests.filter((url) => /\/v1\/(?!rides|settings|rpc\/(?:log_items|run_command))/.test(url)),
  ).toEqual([])

  await page.getByRole('tab', { name: 'Rides' }).click()
  await expectCount(page, bike.rides.length)
  await expect(totals(page)).toContainText(`${distance} km`)
  await expect(totals(page)).toContainText(/\d\skm\/h.*\d\sm$/)
  expect(await totals(page).locator('th, td').evaluateAll(cutOff)).toEqual([])
  await expect(page.getByRole('figure').getByText(/^Most in /)).toContainText(/\d\skm,/)
  await expect(page.getByRole('figure').getByRole('button', { name: /\d.*km,/ })).not.toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText(/\d\s(mi|mph|ft)\b/)

  await sortBy(page, 'Distance')
  const scroller = page.getByRole('region', { name: 'Rides table' })
  await scroller.evaluate((element) => (element.scrollTop = 6000))
  await expect(rideAt(page, 1)).toHaveCount(0)
  await expect(rideAt(page, 110)).toContainText(/\d\skm/)
  const before = await names(page)
  await choose(page, 'miles')
  await expect(rideAt(page, 110)).toContainText(/\d\smi/)
  await expect(total).toHaveText(/^Total Miles /)
  expect(await names(page)).toEqual(before)
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(6000)
})
