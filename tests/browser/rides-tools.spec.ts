import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { expect, test, signInOwner } from './fixtures.ts'
import { dayOf, expectCount, header, openRides, readBike, rideAt, sortBy, totals } from './rides-page.ts'

const BIKE = 'Blue Domane'
const DISTANCE = 3

let bike: Awaited<ReturnType<typeof readBike>>

test.beforeEach(async ({ page, sample }) => {
  bike = await readBike(await signInOwner(sample.url), BIKE)
  await openRides(page, sample.url, bike)
})

const chart = (page: Page) => page.getByRole('figure')
const bar = (page: Page, name: string | RegExp) => chart(page).getByRole('button', { name })

test('a ride before the device knew the date stretches neither chart nor years, which say so', async ({
  page,
  sample,
  sql,
}) => {
  // GPS units count 1,024 weeks.
  await sql`insert into public.rides (id, gear_id, name, departed_at, created_at, time_zone, distance, is_stationary)
    values (7, ${bike.gear_id}, 'Lost its clock', now() - interval '7168 days', now(), 'UTC', 1000, false)`
  const note = page.getByText('1 ride with a doubtful date is left out: see To check in the Garage.')
  const label = await bar(page, /./).first().getAttribute('aria-label')
  const year = String(new Date(Date.now() - 7168 * 86_400_000).getUTCFullYear())
  await page.reload()
  await expect(note).toBeVisible()
  await expectCount(page, bike.rides.length + 1)
  await expect(bar(page, /./).first()).toHaveAttribute('aria-label', label!)

  await page.goto(`${sample.url}/#rides`)
  const years = page.getByRole('region', { name: 'Rides by month and year' }).getByRole('rowheader')
  await expect(note).toBeVisible()
  await expect(years.last()).not.toHaveText(year)

  await sql`insert into public.dismissed_checks (key)
    select 'date:7:' || extract(epoch from started_at) from public.rides where id = 7`
  await page.reload()
  await expect(years.last()).toHaveText(year)
  await expect(note).toHaveCount(0)
})

test('labels each bar, filters by its dates, and downloads the filtered rides as CSV in order', async ({
  page,
}) => {
  const year = bike.rides.filter((ride) => dayOf(ride).startsWith('2024'))
  await chart(page).getByRole('radio', { name: 'Year' }).check()
  const label = await bar(page, /^2024:/).getAttribute('aria-label')
  const miles = year.reduce((total, ride) => total + (ride.distance ?? 0), 0) / 1609
  expect(label).toContain(`${year.length} rides`)
  expect(Number.parseFloat(label!.slice('2024: '.length).replaceAll(',', ''))).toBeCloseTo(miles, 1)

  const years = await bar(page, /^\d{4}:/).evaluateAll((bars) =>
    bars.map((bar) => bar.ariaLabel!.slice(0, 4)),
  )
  const [oldest, second, newest] = [years[0]!, years[1]!, years.at(-1)!]
  await expect(bar(page, new RegExp(`^${newest}:`))).toHaveAttribute('tabindex', '0')
  await chart(page).getByRole('radio', { name: 'Year' }).press('Tab')
  await expect(bar(page, new RegExp(`^${newest}:`))).toBeFocused()
  await page.keyboard.press('Home')
  await expect(bar(page, new RegExp(`^${oldest}:`))).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(bar(page, new RegExp(`^${second}:`))).toBeFocused()
  await page.keyboard.press('Enter')
  await expectCount(page, bike.rides.filter((ride) => dayOf(ride).startsWith(second)).length)
  await expect(chart(page)).toBeFocused()
  await page.goBack()
  await expectCount(page, bike.rides.length)

  await chart(page).getByRole('radio', { name: 'Month' }).check()
  await chart(page).getByRole('radio', { name: 'Time' }).check()
  await expect(chart(page)).toHaveAccessibleName('Moving time by month')
  await bar(page, /^Jun 2024/).click()
  const june = bike.rides.filter((ride) => dayOf(ride).startsWith('2024-06'))
  await expectCount(page, june.length)
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('06/01/2024')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('06/30/2024')

  await sortBy(page, 'Distance')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^rides-blue-domane-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  const [head, ...lines] = text.slice(1).split('\r\n').slice(0, -1)
  const longest = june.toSorted((a, b) => b.distance! - a.distance!)
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(longest.map((ride) => ride.id))
  expect(head).toContain('Distance (m),Distance (mi),Duration (s),Duration (HH:MM:SS)')
  const column = head!.split(',').indexOf('Distance (m)')
  const first = lines[0]!.split(',')
  expect(Number(first[column])).toBe(longest[0]!.distance)
  const shown = await rideAt(page, 1).locator('td, th').nth(DISTANCE).textContent()
  expect(first[column + 1]).toBe(Number.parseFloat(shown!.replaceAll(',', '')).toString())
})

test('hides and resizes columns by mouse and keyboard, remembers them, and has no axe violations', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Gear' }).uncheck()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Max HR' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(header(page, 'Gear')).toHaveCount(0)
  await expect(totals(page)).toContainText(`Total: ${bike.rides.length} rides`)

  const width = async (name: string) => Math.round((await header(page, name).boundingBox())!.width)
  await expect(header(page, 'Max HR')).toHaveCount(0)
  const before = await width('Distance')
  await header(page, 'Distance').getByRole('button').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => width('Distance')).toBe(before + 32)

  const box = (await header(page, 'Distance').boundingBox())!
  await page.mouse.move(box.x + box.width - 3, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 47, box.y + 20, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => width('Distance')).toBe(before + 82)
  await expect(header(page, 'Name')).toHaveAttribute('aria-sort', 'descending')

  await page.reload()
  await expect.poll(() => width('Distance')).toBe(before + 82)
  await expect(header(page, 'Gear')).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset columns' }).click()
  await expect(header(page, 'Gear')).toHaveCount(1)
  await expect.poll(() => width('Distance')).toBe(before)

  await expect(bar(page, /^Jun 2024/)).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.getByLabel('Search names').fill('no such name')
  await expect(page.getByText('No rides match')).toBeVisible()
  await page.getByLabel('To', { exact: true }).click()
  await expect(page.locator('.react-datepicker')).toBeVisible()
})
