import type { Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'
import { bikes, expect, test, signInOwner } from './fixtures.ts'
import {
  cells,
  dayOf,
  expectCount,
  header,
  names,
  openRides,
  readBike,
  rideRows,
  sortBy,
  totals,
  typed,
} from './rides-page.ts'

const BIKE = 'Blue Domane'
const MEASURES = [
  ['Distance', 'distance', 1 / 1609],
  ['Duration', 'duration', 1],
  ['Moving Time', 'moving_time', 1],
  ['Max Speed', 'max_speed', 1 / 1.609],
  ['Avg Speed', 'avg_speed', 1 / 1.609],
  ['Avg HR', 'avg_hr', 1],
  ['Max HR', 'max_hr', 1],
  ['Average Watts', 'avg_watts', 1],
  ['Max Watts', 'max_watts', 1],
  ['Average Cadence', 'avg_cad', 1],
  ['Elev. Gain', 'elevation_gain', 3.28084],
] as const
const FIRST_MEASURE = 3

/** A day in the browser's time zone, which playwright.config.ts sets. */
const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'America/Los_Angeles' })

let owner: OwnerClient
let bike: Awaited<ReturnType<typeof readBike>>

test.beforeEach(async ({ page, sample }) => {
  owner = await signInOwner(sample.url)
  bike = await readBike(owner, BIKE)
  await openRides(page, sample.url, bike)
})

const time = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')

/** The number in a cell; null for a missing value. */
function numberIn(cell: string): number | null {
  if (cell === '–') return null
  const time = /^(\d+):(\d\d):(\d\d)$/.exec(cell)
  if (time) return Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3])
  return Number.parseFloat(cell.replaceAll(',', ''))
}

test('shows each stored value in the owner’s units, or as missing or estimated', async ({ page }) => {
  const ride = bike.rides.find((ride) => ride.avg_watts !== null && ride.max_watts === null && ride.avg_hr)!
  await page.getByLabel('Search names').fill(ride.name!)
  await page.getByLabel('From', { exact: true }).fill(typed(dayOf(ride)))
  await page.getByLabel('To', { exact: true }).fill(typed(dayOf(ride)))
  const row = rideRows(page).filter({ has: page.locator(`a[href$="/trips/${ride.id}"]`) })
  await expect(row).toHaveCount(1)
  const texts = await row.locator('td').allTextContents()
  await expect(row.getByRole('link')).toHaveText(ride.name!)
  expect(texts[1]).toMatch(new RegExp(`${typed(dayOf(ride))} · ${texts[3]}$`))
  expect(texts.slice(2, 9)).toEqual([
    BIKE,
    expect.stringMatching(/^[\d,]+\.\d\u00a0mi$/),
    time(ride.duration!),
    time(ride.moving_time!),
    `${(ride.max_speed! / 1.609).toFixed(1)}\u00a0mph`,
    `${(ride.avg_speed! / 1.609).toFixed(1)}\u00a0mph`,
    String(Math.round(ride.avg_hr!)),
  ])
  expect(numberIn(texts[3]!)).toBeCloseTo(ride.distance! / 1609, 1)
  expect(texts[10]).toMatch(new RegExp(`^${Math.round(ride.avg_watts!)} est. estimated$`))
  expect(texts[11]).toBe('–')
  expect(numberIn(texts[13]!)).toBe(Math.round(ride.elevation_gain! * 3.28084))
})

test('sorts by Name, descending, in natural order; pressing Name reverses it', async ({ page }) => {
  const natural = new Intl.Collator('en-US', { numeric: true })
  await page.getByLabel('Search names').fill('Ride')
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'descending')
  const down = await names(page)
  expect(down.length).toBeGreaterThan(5)
  expect(down).toEqual(down.toSorted((a, b) => natural.compare(b, a)))
  await sortBy(page, 'Name')
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'ascending')
  const up = await names(page)
  expect(up).toEqual(up.toSorted(natural.compare))
})

// src/features/rides/sort.test.ts tests the other measures.
test('sorts a measure as a number both ways, missing values last', async ({ page }) => {
  const index = MEASURES.findIndex(([name]) => name === 'Avg HR')
  const [name, field, factor] = MEASURES[index]!
  await sortsBothWays(page, name, FIRST_MEASURE + index, field, factor)
})

async function sortsBothWays(
  page: Page,
  name: string,
  column: number,
  field: (typeof MEASURES)[number][1],
  factor: number,
) {
  const stored = bike.rides.map((ride) => ride[field]).filter((value) => value !== null)
  const extremes: [number, number][] = []
  for (const direction of ['descending', 'ascending']) {
    await sortBy(page, name)
    await expect(header(page, name)).toHaveAttribute('aria-sort', direction)
    await expect(page.locator('[aria-sort]')).toHaveCount(1)
    await expect(rideRows(page).first()).toHaveAttribute('aria-rowindex', '2')
    const values = (await cells(page, column)).map(numberIn)
    const sign = direction === 'ascending' ? 1 : -1
    expect(values).toEqual(values.toSorted((a, b) => sign * (a! - b!)))
    expect(values[0]).not.toBeNull()
    extremes.push([values[0]!, stored.toSorted((a, b) => sign * (a - b))[0]!])
    await page.getByRole('region', { name: 'Rides table' }).press('End')
    await expect(rideRows(page).last()).toHaveAttribute('aria-rowindex', String(bike.rides.length + 1))
    const last = (await cells(page, column)).at(-1)
    expect(last === '–').toBe(stored.length < bike.rides.length)
  }
  for (const [shown, stored] of extremes) expect(Math.abs(shown - stored * factor)).toBeLessThanOrEqual(0.5)
}

test('From and To are inclusive and use the ride’s local day', async ({ page }) => {
  const days = bike.rides.map(dayOf).toSorted()
  const [from, to] = [days[40]!, days[90]!]
  await page.getByLabel('From', { exact: true }).fill(typed(from))
  await page.getByLabel('To', { exact: true }).fill(typed(to))
  await expectCount(page, days.filter((day) => from <= day && day <= to).length)
  await page.getByLabel('To', { exact: true }).fill(typed(from))
  await expectCount(page, days.filter((day) => day === from).length)
})

test('To shows today but does not filter until it is edited', async ({ page, sample }) => {
  const tomorrow = { name: 'Ride in tomorrow', started_at: `${dayFromNow(1)}T08:00:00` }
  await page.route('**/rest/v1/rides*', async (route) => {
    const response = await route.fetch()
    const [first, ...others] = await response.json()
    await route.fulfill({ response, json: [{ ...first, ...tomorrow }, ...others] })
  })
  await page.goto(`${sample.url}/#bike=${bike.gear_id}&tab=rides`)
  await page.reload()
  await expectCount(page, bike.rides.length)
  const to = page.getByRole('textbox', { name: 'To', exact: true })
  await expect(to).toHaveValue(typed(dayFromNow(0)))
  await page.getByLabel('Search names').fill('Ride in tomorrow')
  await expectCount(page, 1)
  await to.fill('foo')
  await expectCount(page, 1)
  await to.fill(typed(dayFromNow(0)))
  await expect(page.getByText('No rides match these filters.')).toBeVisible()
})

test('rejects an impossible date and keeps the list', async ({ page }) => {
  const from = page.getByRole('textbox', { name: 'From', exact: true })
  await from.fill('02/30/2024')
  await expect(from).toHaveAccessibleDescription('Enter a date as MM/DD/YYYY.')
  await expect(from).toHaveAttribute('aria-invalid', 'true')
  await expectCount(page, bike.rides.length)
  await from.fill('02/29/2024')
  await expect(from).toHaveAccessibleDescription('')
})

test('Gear offers each bike, all rides, and rides without a bike', async ({ page }) => {
  const gear = page.getByLabel('Gear')
  await expect(gear).toHaveValue(String(bike.gear_id))
  const labels = await gear.locator('option').allTextContents()
  const bikeNames = ['Blue Domane', 'Surly Cross-Check', 'Warbird', 'Hardtail']
  expect(labels).toEqual([...bikeNames, 'All rides', 'No bike'])

  const { data: all } = await owner.from('bikes').select('gear_id')
  const known = all!.map((one) => one.gear_id).join(',')
  const counted = () => owner.from('rides').select('id', { count: 'exact', head: true })
  await gear.selectOption('All rides')
  await expectCount(page, (await counted()).count!)
  await gear.selectOption('No bike')
  const unknown = (await counted().or(`gear_id.is.null,gear_id.not.in.(${known})`)).count!
  expect(unknown).toBeGreaterThan(0)
  await expectCount(page, unknown)
  expect((await cells(page, 2)).every((cell) => cell === '–')).toBe(true)
  await expect(page.getByText(`${unknown} rides without a bike`)).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(gear).toHaveValue(String(bike.gear_id))
  await expectCount(page, bike.rides.length)
})

test('a calendar, presets and a minimum distance filter, and a reload keeps them', async ({ page }) => {
  const presets = page.getByRole('group', { name: 'Dates' })
  await expect(presets.getByRole('radio', { name: 'All' })).toBeChecked()
  await presets.getByRole('radio', { name: 'This year' }).check()
  const year = dayFromNow(0).slice(0, 4)
  await expectCount(page, bike.rides.filter((ride) => dayOf(ride).startsWith(year)).length)

  await page.getByLabel('From', { exact: true }).fill('07/01/2024')
  await page.getByLabel('To', { exact: true }).click()
  await page.getByRole('gridcell', { name: 'Choose Wednesday, July 31, 2024' }).click()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('07/31/2024')
  const minimum = page.getByLabel('Min distance (mi)')
  await minimum.fill('far')
  await expect(minimum).toHaveAccessibleDescription('Enter a number.')
  const july = bike.rides.filter((ride) => dayOf(ride).startsWith('2024-07'))
  await expectCount(page, july.length)
  await minimum.fill('20')
  const long = july.filter((ride) => (ride.distance ?? 0) >= 20 * 1609).length
  expect(long).toBeGreaterThan(0)
  expect(long).toBeLessThan(july.length)
  await expectCount(page, long)
  await expect(presets.getByRole('radio', { checked: true })).toHaveCount(0)

  await page.reload()
  await expectCount(page, long)
  await expect(minimum).toHaveValue('20')
  await page.goBack()
  await expectCount(page, july.length)
})

test('sorts by date without a Date column, and a drill-down keeps the sort', async ({ page }) => {
  const days = async () => (await cells(page, 1)).map((cell) => /(\d\d)\/(\d\d)\/(\d{4})/.exec(cell)!)
  const isoDays = async () => (await days()).map(([, month, day, year]) => `${year}-${month}-${day}`)
  await page.getByLabel('Sort').selectOption('Oldest first')
  await expect(header(page, 'Date')).toHaveCount(0)
  const sorted = bike.rides.map(dayOf).toSorted()
  const shown = await isoDays()
  expect(shown).toEqual(sorted.slice(0, shown.length))

  await page.getByRole('link', { name: /^Total Miles/ }).click()
  await expect(page.getByRole('link', { name: 'Show all rides' })).toBeVisible()
  await expect(page.getByLabel('Sort')).toHaveValue('date')
  await page.getByRole('link', { name: 'Show all rides' }).click()
  await expect(page.getByLabel('Sort')).toHaveValue('date')
})

test('a reload keeps the filters, and Back undoes them one by one', async ({ page }) => {
  const all = bike.rides.length
  await page.getByLabel('From', { exact: true }).fill('01/01/2023')
  const since = bike.rides.filter((ride) => dayOf(ride) >= '2023-01-01').length
  await expectCount(page, since)
  await page.getByLabel('Search names').pressSequentially('morning')
  const found = bike.rides.filter(
    (ride) => dayOf(ride) >= '2023-01-01' && /morning/i.test(ride.name ?? ''),
  ).length
  expect(found).toBeGreaterThan(0)
  await expectCount(page, found)
  await expect(page).toHaveURL(/search=morning/)
  await sortBy(page, 'Distance')

  await page.reload()
  await expectCount(page, found)
  await expect(page.getByLabel('Search names')).toHaveValue('morning')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('01/01/2023')
  await expect(header(page, 'Distance')).toHaveAttribute('aria-sort', 'descending')

  await page.goBack()
  await expectCount(page, since)
  await expect(page.getByLabel('Search names')).toHaveValue('')
  await page.goBack()
  await expectCount(page, all)
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('01/01/1990')
})

test('the last row shows sums, weighted averages and the highest maximum', async ({ page }) => {
  await page.getByLabel('From', { exact: true }).fill('06/01/2024')
  await page.getByLabel('To', { exact: true }).fill('09/30/2024')
  const shown = bike.rides.filter((ride) => dayOf(ride) >= '2024-06-01' && dayOf(ride) <= '2024-09-30')
  await expectCount(page, shown.length)
  await expect(totals(page)).toContainText(`Total: ${shown.length} rides`)
  const texts = await totals(page).locator('td, th').allTextContents()
  const present = (field: (typeof MEASURES)[number][1]) => shown.filter((ride) => ride[field] !== null)
  const sum = (field: (typeof MEASURES)[number][1]) =>
    present(field).reduce((total, ride) => total + ride[field]!, 0)
  const average = (field: (typeof MEASURES)[number][1]) =>
    present(field).reduce((total, ride) => total + ride[field]! * ride.moving_time!, 0) /
    present(field).reduce((total, ride) => total + ride.moving_time!, 0)
  const values = texts.slice(FIRST_MEASURE).map(numberIn)
  expect(values[0]).toBeCloseTo(sum('distance') / 1609, 1)
  expect(values[1]).toBe(sum('duration'))
  expect(values[2]).toBe(sum('moving_time'))
  expect(values[3]).toBeCloseTo(Math.max(...present('max_speed').map((ride) => ride.max_speed!)) / 1.609, 1)
  expect(values[4]).toBeCloseTo(average('avg_speed') / 1.609, 1)
  expect(values[5]).toBe(Math.round(average('avg_hr')))
  expect(values[10]).toBe(Math.round(sum('elevation_gain') * 3.28084))
})

test('choosing another bike shows its rides without the previous filters', async ({ page }) => {
  await page.getByLabel('Search names').fill('morning')
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  const other = await readBike(owner, 'Surly Cross-Check')
  await expectCount(page, other.rides.length)
  await expect(page.getByLabel('Search names')).toHaveValue('')
})
