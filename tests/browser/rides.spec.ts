import { COMMUTER } from '../../sample/gear.ts'
import type { OwnerClient } from '../owner.ts'
import { bikes, expect, test, signInOwner } from './fixtures.ts'
import {
  dayOf,
  expectCount,
  header,
  openRides,
  readBike,
  rideAt,
  rideRows,
  sortBy,
  totals,
  typed,
} from './rides-page.ts'

const BIKE = 'Blue Domane'
const [GEAR, AVG_HR] = [2, 8]

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

// src/features/rides/totals.test.ts tests the totals of several rides.
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
  expect(texts[10]).toMatch(new RegExp(`^${Math.round(ride.avg_watts!)} est. estimated$`))
  expect(texts[11]).toBe('–')
  await expect(totals(page)).toContainText('Total: 1 ride')
  expect((await totals(page).locator('td, th').allTextContents()).slice(3, 9)).toEqual(texts.slice(3, 9))
})

// src/features/rides/sort.test.ts tests names and the other measures.
test('sorts by a measure with missing values last, and by date', async ({ page }) => {
  const rated = bike.rides.map((ride) => ride.avg_hr).filter((value) => value !== null)
  expect(rated.length).toBeLessThan(bike.rides.length)
  for (const [direction, extreme] of [
    ['descending', Math.max(...rated)],
    ['ascending', Math.min(...rated)],
  ] as const) {
    await sortBy(page, 'Avg HR')
    await expect(header(page, 'Avg HR')).toHaveAttribute('aria-sort', direction)
    await expect(page.locator('[aria-sort]')).toHaveCount(1)
    await expect(rideAt(page, 1).locator('td, th').nth(AVG_HR)).toHaveText(String(Math.round(extreme)))
    await page.getByRole('region', { name: 'Rides table' }).press('End')
    await expect(rideAt(page, bike.rides.length).locator('td, th').nth(AVG_HR)).toHaveText('–')
  }

  await page.getByLabel('Sort').selectOption('Oldest first')
  await expect(header(page, 'Date')).toHaveCount(0)
  await expect(rideAt(page, 1)).toBeVisible()
  const [oldest] = bike.rides.map(dayOf).toSorted()
  await expect(rideAt(page, 1)).toContainText(typed(oldest!))
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
  await presets.getByRole('radio', { name: 'Last year' }).check()
  const year = String(Number(dayFromNow(0).slice(0, 4)) - 1)
  await expectCount(page, bike.rides.filter((ride) => dayOf(ride).startsWith(year)).length)
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await from.fill('07/01/2024')
  await to.click()
  await page.getByRole('gridcell', { name: 'Choose Wednesday, July 31, 2024' }).click()
  await expect(to).toHaveValue('07/31/2024')
  await expect(presets.getByRole('radio', { checked: true })).toHaveCount(0)
  const july = bike.rides.filter((ride) => dayOf(ride).startsWith('2024-07'))
  await expectCount(page, july.length)
  await minimum.fill('far')
  await expect(minimum).toHaveAccessibleDescription('Enter a number.')
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
  const inUse = await bikes(page).getByRole('button').allInnerTexts()
  await expect(gear.locator('option')).toHaveText([...inUse, 'Hardtail', 'All rides', 'No bike'])
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

test('without bikes, says what to do on Ride with GPS, and shows the rides', async ({ page, sample }) => {
  await page.route('**/rest/v1/bikes*', (route) => route.fulfill({ json: [] }))
  await page.goto(`${sample.url}/#garage`)
  await page.reload()
  await expect(page.getByText('On Ride with GPS, add your bikes as gear and choose one')).toBeVisible()
  await expect(page.getByLabel('Gear')).toHaveValue('all')
  await expect(page.getByText(/^1,\d{3} rides/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Update Rides from RWGPS' })).toHaveCount(1)
})
