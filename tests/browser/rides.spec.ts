import { COMMUTER } from '../../sample/gear.ts'
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
  rideAt,
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
const GEAR = 2
const FIRST_MEASURE = 3
const AVG_HR = FIRST_MEASURE + MEASURES.findIndex(([name]) => name === 'Avg HR')

/** Uses the browser's time zone, which playwright.config.ts sets. */
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

/** Returns null for a missing value. */
function numberIn(cell: string): number | null {
  if (cell === '–') return null
  const time = /^(\d+):(\d\d):(\d\d)$/.exec(cell)
  if (time) return Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3])
  return Number.parseFloat(cell.replaceAll(',', ''))
}

test('shows rides in the owner’s units, marks missing and estimated values, and adds up the totals', async ({
  page,
}) => {
  const ride = bike.rides.find((ride) => ride.avg_watts !== null && ride.max_watts === null && ride.avg_hr)!
  await page.getByLabel('Search names').fill(ride.name!)
  await page.getByLabel('From', { exact: true }).fill(typed(dayOf(ride)))
  await page.getByLabel('To', { exact: true }).fill(typed(dayOf(ride)))
  const row = rideRows(page).filter({ has: page.locator(`a[href$="/trips/${ride.id}"]`) })
  await expect(row).toHaveCount(1)
  const texts = await row.locator('td, th').allTextContents()
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

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('From', { exact: true }).fill('06/01/2024')
  await page.getByLabel('To', { exact: true }).fill('09/30/2024')
  const shown = bike.rides.filter((ride) => dayOf(ride) >= '2024-06-01' && dayOf(ride) <= '2024-09-30')
  await expectCount(page, shown.length)
  await expect(totals(page)).toContainText(`Total: ${shown.length} rides`)
  const sums = await totals(page).locator('td, th').allTextContents()
  const present = (field: (typeof MEASURES)[number][1]) => shown.filter((ride) => ride[field] !== null)
  const sum = (field: (typeof MEASURES)[number][1]) =>
    present(field).reduce((total, ride) => total + ride[field]!, 0)
  const average = (field: (typeof MEASURES)[number][1]) =>
    present(field).reduce((total, ride) => total + ride[field]! * ride.moving_time!, 0) /
    present(field).reduce((total, ride) => total + ride.moving_time!, 0)
  const values = sums.slice(FIRST_MEASURE).map(numberIn)
  expect(values[0]).toBeCloseTo(sum('distance') / 1609, 1)
  expect(values[1]).toBe(sum('duration'))
  expect(values[2]).toBe(sum('moving_time'))
  expect(values[3]).toBeCloseTo(Math.max(...present('max_speed').map((ride) => ride.max_speed!)) / 1.609, 1)
  expect(values[4]).toBeCloseTo(average('avg_speed') / 1.609, 1)
  expect(values[5]).toBe(Math.round(average('avg_hr')))
  expect(values[10]).toBe(Math.round(sum('elevation_gain') * 3.28084))
})

// src/features/rides/sort.test.ts tests the other measures.
test('sorts by name in natural order, by a measure with missing values last, and by date', async ({
  page,
}) => {
  const natural = new Intl.Collator('en-US', { numeric: true })
  await page.getByLabel('Search names').fill('Ride')
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'descending')
  const named = bike.rides.filter(({ name }) => /ride/i.test(name ?? '')).length
  await expectCount(page, named)
  const down = await names(page)
  expect(down.length).toBeGreaterThan(5)
  expect(down).toEqual(down.toSorted((a, b) => natural.compare(b, a)))
  await sortBy(page, 'Name')
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'ascending')
  const up = await names(page)
  expect(up).toEqual(up.toSorted(natural.compare))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expectCount(page, bike.rides.length)

  const rated = bike.rides.map((ride) => ride.avg_hr).filter((value) => value !== null)
  expect(rated.length).toBeLessThan(bike.rides.length)
  for (const [direction, extreme] of [
    ['descending', Math.max(...rated)],
    ['ascending', Math.min(...rated)],
  ] as const) {
    await sortBy(page, 'Avg HR')
    await expect(header(page, 'Avg HR')).toHaveAttribute('aria-sort', direction)
    await expect(page.locator('[aria-sort]')).toHaveCount(1)
    await expect(rideAt(page, 1)).toBeVisible()
    const values = (await cells(page, AVG_HR)).map(numberIn)
    const sign = direction === 'ascending' ? 1 : -1
    expect(values).toEqual(values.toSorted((a, b) => sign * (a! - b!)))
    expect(values[0]).toBe(Math.round(extreme))
    await page.getByRole('region', { name: 'Rides table' }).press('End')
    await expect(rideAt(page, bike.rides.length).locator('td, th').nth(AVG_HR)).toHaveText('–')
  }

  await page.getByLabel('Sort').selectOption('Oldest first')
  await expect(header(page, 'Date')).toHaveCount(0)
  await expect(rideAt(page, 1)).toBeVisible()
  const days = bike.rides.map(dayOf).toSorted()
  const shown = (await cells(page, 1)).map((cell) => /(\d\d)\/(\d\d)\/(\d{4})/.exec(cell)!)
  expect(shown.map(([, month, day, year]) => `${year}-${month}-${day}`)).toEqual(days.slice(0, shown.length))
  await page.getByRole('link', { name: /^Total Miles/ }).click()
  await expect(page.getByLabel('Sort')).toHaveValue('date')
  await page.getByRole('link', { name: 'Show all rides' }).click()
  await expect(page.getByLabel('Sort')).toHaveValue('date')
})

// src/features/rides/filters.test.ts tests which rides match each filter.
test('filters by days, distance, name and gear; a reload keeps the filters, and Back undoes them', async ({
  page,
}) => {
  const all = bike.rides.length
  const from = page.getByRole('textbox', { name: 'From', exact: true })
  const to = page.getByRole('textbox', { name: 'To', exact: true })
  const minimum = page.getByLabel('Min distance (mi)')
  const presets = page.getByRole('group', { name: 'Dates' })

  // “To” shows today, but doesn't filter until it is edited.
  await expect(to).toHaveValue(typed(dayFromNow(0)))
  await expect(presets.getByRole('radio', { name: 'All' })).toBeChecked()
  await to.fill('foo')
  await expectCount(page, all)
  await to.fill(typed(dayFromNow(0)))
  await expect(page).toHaveURL(new RegExp(`&to=${dayFromNow(0)}`))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await presets.getByRole('radio', { name: 'This year' }).check()
  const year = dayFromNow(0).slice(0, 4)
  await expectCount(page, bike.rides.filter((ride) => dayOf(ride).startsWith(year)).length)
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await from.fill('02/30/2024')
  await expect(from).toHaveAccessibleDescription('Enter a date as MM/DD/YYYY.')
  await expect(from).toHaveAttribute('aria-invalid', 'true')
  await expectCount(page, all)
  await from.fill('07/01/2024')
  await expect(from).toHaveAccessibleDescription('')
  await to.click()
  await page.getByRole('gridcell', { name: 'Choose Wednesday, July 31, 2024' }).click()
  await expect(to).toHaveValue('07/31/2024')
  await expect(presets.getByRole('radio', { checked: true })).toHaveCount(0)
  await minimum.fill('far')
  await expect(minimum).toHaveAccessibleDescription('Enter a number.')
  const july = bike.rides.filter((ride) => dayOf(ride).startsWith('2024-07'))
  await expectCount(page, july.length)
  await minimum.fill('20')
  const long = july.filter((ride) => (ride.distance ?? 0) >= 20 * 1609).length
  expect(long).toBeGreaterThan(0)
  expect(long).toBeLessThan(july.length)
  await expectCount(page, long)
  await page.getByLabel('Search names').pressSequentially('ride')
  const found = july.filter(
    (ride) => (ride.distance ?? 0) >= 20 * 1609 && /ride/i.test(ride.name ?? ''),
  ).length
  expect(found).toBeGreaterThan(0)
  await expectCount(page, found)
  await expect(page).toHaveURL(/search=ride/)
  await sortBy(page, 'Distance')

  await page.reload()
  await expectCount(page, found)
  await expect(page.getByLabel('Search names')).toHaveValue('ride')
  await expect(minimum).toHaveValue('20')
  await expect(from).toHaveValue('07/01/2024')
  await expect(header(page, 'Distance')).toHaveAttribute('aria-sort', 'descending')

  await page.goBack()
  await expect(page.getByLabel('Search names')).toHaveValue('')
  await expectCount(page, long)
  await page.goBack()
  await expectCount(page, july.length)

  const gear = page.getByLabel('Gear')
  await expect(gear).toHaveValue(String(bike.gear_id))
  const bikeNames = ['Blue Domane', 'Surly Cross-Check', 'Warbird', 'Hardtail']
  await expect(gear.locator('option')).toHaveText([...bikeNames, 'All rides', 'No bike'])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const count = async (condition?: string) => {
    const rides = owner.from('rides').select('id', { count: 'exact', head: true })
    return (await (condition ? rides.or(condition) : rides)).count!
  }
  await gear.selectOption('All rides')
  await expectCount(page, await count())
  await gear.selectOption('No bike')
  const { data: known } = await owner.from('bikes').select('gear_id')
  const unknown = await count(
    `gear_id.is.null,gear_id.not.in.(${known!.map(({ gear_id }) => gear_id).join(',')})`,
  )
  expect(unknown).toBeGreaterThan(0)
  await expectCount(page, unknown)
  await expect(rideAt(page, 1).locator('td, th').nth(GEAR)).toHaveText('–')
  await expect(page.getByText(`${unknown} rides without a bike`)).toBeVisible()

  await page.getByLabel('Search names').fill('morning')
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await expectCount(page, await count(`gear_id.eq.${COMMUTER}`))
  await expect(page.getByLabel('Search names')).toHaveValue('')
})
