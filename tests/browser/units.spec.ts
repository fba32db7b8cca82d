import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import Papa from 'papaparse'
import { expect, headers, openAccount, openMainScreen, test, signInOwner } from './fixtures.ts'
import { expectCount, header, names, readBike, rideAt, sortBy, totals } from './rides-page.ts'

const BIKE = 'Blue Domane'
const NBSP = '\u00A0'

let bike: Awaited<ReturnType<typeof readBike>>

test.beforeEach(async ({ page, sample }) => {
  bike = await readBike(await signInOwner(sample.url), BIKE)
  await openMainScreen(page, `${sample.url}/#bike=${bike.gear_id}`)
})

const total = (page: Page) => page.getByRole('link', { name: /^Total / })
async function choose(page: Page, name: 'miles' | 'kilometers') {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(`use ${name}`)
  await page.keyboard.press('Enter')
}
/** The row of a part that has always been on the bike. */
const frame = (page: Page) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Details of Trek Domane/ }) })
const chart = (page: Page) => page.getByRole('figure')
const openRides = async (page: Page) => {
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expectCount(page, bike.rides.length)
}

async function byHeader(page: Page, row: ReturnType<typeof totals>) {
  const texts = await row.locator('th, td').allInnerTexts()
  return Object.fromEntries((await headers(page)).map((name, index) => [name, texts[index]?.trim()]))
}

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

async function download(page: Page, act: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  const { data, meta } = Papa.parse<Record<string, string>>(await readFile(await file.path(), 'utf8'), {
    header: true,
  })
  return { headers: meta.fields ?? [], first: data[0] }
}

test('switching the units with the keyboard updates every number, and only saves the choice', async ({
  page,
}) => {
  await expect(total(page)).toHaveText(`Total Miles ${shown(sumOf('distance') / 1609, 1, 'mi')}`)
  await expect(header(page, 'Use Miles')).toBeVisible()
  await expect(frame(page)).toContainText(`${NBSP}mi`)
  const name = frame(page).getByRole('textbox', { name: 'Name' })
  await name.fill('Not saved yet')

  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await choose(page, 'kilometers')
  const distance = shown(sumOf('distance') / 1000, 1, 'km')
  await expect(total(page)).toHaveText(`Total Kilometers ${distance}`)
  await expect(header(page, 'Use Kilometers')).toBeVisible()
  await expect(header(page, 'Use Miles')).toHaveCount(0)
  await expect(frame(page)).toContainText(`${NBSP}km`)
  await expect(frame(page)).not.toContainText(`${NBSP}mi`)
  await expect(name).toHaveValue('Not saved yet')
  await name.press('Escape')
  // The command menu reads all log entries. The bike's rides may still be loading in the background for the Rides tab.
  expect(requests.filter((url) => /\/v1\/(?!rides|settings|maintenance\?)/.test(url))).toEqual([])

  await openRides(page)
  await expect
    .poll(() => byHeader(page, totals(page)))
    .toMatchObject({
      Distance: distance,
      'Max Speed': shown(fastest(), 1, 'km/h'),
      'Elev. Gain': shown(sumOf('elevation_gain'), 0, 'm'),
    })
  await expect(chart(page).getByText(/^Most in /)).toContainText(`${NBSP}km,`)
  await expect(chart(page).getByRole('button', { name: /\d.*km,/ })).not.toHaveCount(0)
  await expect(chart(page)).toContainText(/\d km/)
  await expect(page.getByRole('main')).not.toContainText(/\d\s(mi|mph|ft)\b/)
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 812 })
    const cut = await totals(page)
      .locator('td')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
    expect(cut).toBe(0)
  }

  await choose(page, 'miles')
  await expect(total(page)).toHaveText(/^Total Miles /)
  await expect
    .poll(() => byHeader(page, totals(page)))
    .toMatchObject({
      Distance: shown(sumOf('distance') / 1609, 1, 'mi'),
      'Max Speed': shown(fastest() / 1.609, 1, 'mph'),
      'Elev. Gain': shown(sumOf('elevation_gain') * 3.28084, 0, 'ft'),
    })
})

test('changing units keeps the order and scroll position, and both CSV files use them', async ({ page }) => {
  await openRides(page)
  await sortBy(page, 'Distance')
  const scroller = page.getByRole('region', { name: 'Rides table' })
  await scroller.evaluate((element) => (element.scrollTop = 6000))
  await expect(rideAt(page, 1)).toHaveCount(0)
  const before = await names(page)
  await expect(rideAt(page, 110)).toContainText(`${NBSP}mi`)
  await choose(page, 'kilometers')
  await expect(rideAt(page, 110)).toContainText(`${NBSP}km`)
  expect(await names(page)).toEqual(before)
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(6000)

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
