import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import Papa from 'papaparse'
import { expectAccessible } from './axe.ts'
import { expect, headers, openAccount, openMainScreen, test, signInOwner } from './fixtures.ts'
import { cells, expectCount, header, names, readBike, rideRows, sortBy, totals } from './rides-page.ts'

const BIKE = 'Blue Domane'
const NBSP = '\u00A0'

let bike: Awaited<ReturnType<typeof readBike>>

test.beforeEach(async ({ page, sample }) => {
  bike = await readBike(await signInOwner(sample.url), BIKE)
  await openMainScreen(page, `${sample.url}/#bike=${bike.gear_id}`)
})

const total = (page: Page) => page.getByRole('link', { name: /^Total / })
const unit = (page: Page, name: 'Miles' | 'Kilometers') =>
  page.getByRole('group', { name: 'Units' }).getByRole('radio', { name, exact: true })
async function choose(page: Page, name: 'Miles' | 'Kilometers') {
  await openAccount(page)
  await unit(page, name).check()
  await page.keyboard.press('Escape')
}
const firstUse = (page: Page) => page.getByRole('row').nth(1).getByRole('cell').nth(6)
const chart = (page: Page) => page.getByRole('figure')
const openRides = async (page: Page) => {
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expectCount(page, bike.rides.length)
}

/** A row's texts by column header. */
async function byHeader(page: Page, row: ReturnType<typeof totals>) {
  const texts = await row.locator('th, td').allInnerTexts()
  return Object.fromEntries((await headers(page)).map((name, index) => [name, texts[index]?.trim()]))
}

/** Formats a sum, rounded half up. */
function shown(value: number, digits: 0 | 1, unit: string) {
  const rounded = Math.round(value * 10 ** digits) / 10 ** digits
  const text = rounded.toLocaleString('en-US', { minimumFractionDigits: digits })
  return `${text}${NBSP}${unit}`
}

function sumOf(measure: 'distance' | 'elevation_gain') {
  return bike.rides.reduce((sum, ride) => sum + (ride[measure] ?? 0), 0)
}

function fastest() {
  return Math.max(...bike.rides.map((ride) => ride.max_speed ?? 0))
}

/** The headers and first row of the CSV that an action downloads. */
async function download(page: Page, act: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  const { data, meta } = Papa.parse<Record<string, string>>(await readFile(await file.path(), 'utf8'), {
    header: true,
  })
  return { headers: meta.fields ?? [], first: data[0] }
}

test('uses miles, mph and feet by default', async ({ page }) => {
  await openAccount(page)
  await expect(unit(page, 'Miles')).toBeChecked()
  await expect(total(page)).toHaveText(`Total Miles ${shown(sumOf('distance') / 1609, 1, 'mi')}`)
  await expect(header(page, 'Use Miles')).toBeVisible()
  await openRides(page)
  expect(await byHeader(page, totals(page))).toMatchObject({
    Distance: shown(sumOf('distance') / 1609, 1, 'mi'),
    'Max Speed': shown(fastest() / 1.609, 1, 'mph'),
    'Elev. Gain': shown(sumOf('elevation_gain') * 3.28084, 0, 'ft'),
  })
})

test('switching to kilometers updates every number without a request', async ({ page }) => {
  await expect(firstUse(page)).toContainText(`${NBSP}mi`)
  // The bike's rides load in the background.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/rest/v1/rides')),
  )
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await choose(page, 'Kilometers')
  const distance = shown(sumOf('distance') / 1000, 1, 'km')
  await expect(total(page)).toHaveText(`Total Kilometers ${distance}`)
  await expect(header(page, 'Use Kilometers')).toBeVisible()
  await expect(header(page, 'Use Miles')).toHaveCount(0)
  await expect(firstUse(page)).toHaveText(distance)
  // The bike's rides may be loading in the background, for the first time.
  expect(requests.filter((url) => !/rides/i.test(url))).toEqual([])

  await openRides(page)
  expect(await byHeader(page, totals(page))).toMatchObject({
    Distance: distance,
    'Max Speed': shown(fastest(), 1, 'km/h'),
    'Elev. Gain': shown(sumOf('elevation_gain'), 0, 'm'),
  })
  await expect(chart(page).getByText(/^Most in /)).toContainText(`${NBSP}km,`)
  await expect(chart(page).getByRole('button').last()).toHaveAccessibleName(/\d.*km,/)
  await expect(chart(page)).toContainText(/\d km/)
  await expect(page.getByRole('main')).not.toContainText(/\d\s(mi|mph|ft)\b/)
})

test('changing units keeps the order, scroll position and draft', async ({ page }) => {
  const name = page.getByRole('row').nth(1).getByRole('textbox', { name: 'Name' })
  await name.fill('Not saved yet')
  await choose(page, 'Kilometers')
  await expect(name).toHaveValue('Not saved yet')
  await name.press('Escape')

  await openRides(page)
  await sortBy(page, 'Distance')
  const scroller = page.getByRole('region', { name: 'Rides table' })
  await scroller.evaluate((element) => (element.scrollTop = 6000))
  await expect(rideRows(page).first()).not.toHaveAttribute('aria-rowindex', '2')
  const before = await names(page)
  await choose(page, 'Miles')
  await expect.poll(async () => (await cells(page, 3))[0]).toContain('mi')
  expect(await names(page)).toEqual(before)
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(6000)
})

test('both CSV files use the chosen units', async ({ page }) => {
  await openRides(page)
  await sortBy(page, 'Distance')
  await choose(page, 'Kilometers')
  const rides = await download(page, () => page.getByRole('button', { name: 'Download CSV' }).click())
  expect(rides.headers).toEqual(
    expect.arrayContaining(['Distance (m)', 'Distance (km)', 'Max Speed (km/h)', 'Elev. Gain (m)']),
  )
  expect(new Set(rides.headers).size).toBe(rides.headers.length)
  const longest = Math.max(...bike.rides.map((ride) => ride.distance ?? 0))
  expect(rides.first).toMatchObject({
    'Distance (m)': String(longest),
    'Distance (km)': String(Math.round(longest / 100) / 10),
  })

  const log = await download(page, async () => {
    await openAccount(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('button', { name: 'Maintenance log (CSV)' }).click()
  })
  expect(log.headers).toContain('Use Kilometers')
  expect(log.headers).not.toContain('Use Miles')
})

test('remembers the units and updates other tabs', async ({ page }) => {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(total(other)).toHaveText(/^Total Miles /)
  await choose(page, 'Kilometers')
  await expect(total(other)).toHaveText(/^Total Kilometers /)
  await page.reload()
  await expect(total(page)).toHaveText(/^Total Kilometers /)
})

test('units can be changed with the keyboard', async ({ page }) => {
  await openAccount(page)
  await unit(page, 'Miles').focus()
  await page.keyboard.press('ArrowRight')
  await expect(total(page)).toHaveText(/^Total Kilometers /)
  await page.keyboard.press('ArrowLeft')
  await expect(total(page)).toHaveText(/^Total Miles /)
})

test('kilometers have no axe violations or clipped numbers', async ({ page }) => {
  await choose(page, 'Kilometers')
  await openRides(page)
  await expectAccessible(page)
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 812 })
    const cut = await totals(page)
      .locator('td')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
    expect(cut).toBe(0)
  }
})
