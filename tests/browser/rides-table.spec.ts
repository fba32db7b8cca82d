import { expect, test, signInOwner } from './fixtures.ts'
import {
  expectCount,
  header,
  openRides,
  readBike,
  rideAt,
  rideRows,
  sortBy,
  table,
  totals,
} from './rides-page.ts'

const BIKE = 'Blue Domane'

let bike: Awaited<ReturnType<typeof readBike>>

test.beforeEach(async ({ page, sample }) => {
  bike = await readBike(await signInOwner(sample.url), BIKE)
  await openRides(page, sample.url, bike)
})

test('shows the first page while others load, renders few rows, and scrolls to the last ride under sticky headers', async ({
  page,
}) => {
  const requests: URL[] = []
  const held = Promise.withResolvers<void>()
  await page.route('**/rest/v1/rides*', async (route) => {
    const url = new URL(route.request().url())
    requests.push(url)
    if (Number(url.searchParams.get('offset')) > 0) await held.promise
    await route.continue()
  })
  await page.getByLabel('Gear').selectOption('All rides')
  await expectCount(page, 1000)
  await expect(page.getByText(/still loading/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
  held.resolve()
  await expect(page.getByText(/still loading/)).toBeHidden()
  expect(requests.map((url) => url.searchParams.get('offset') ?? '0').toSorted()).toEqual(['0', '1000'])
  for (const url of requests) expect(url.searchParams.get('select')).not.toContain('*')

  await expect(totals(page)).toBeVisible()
  const count = Number(await table(page).getAttribute('aria-rowcount')) - 2
  expect(count).toBeGreaterThan(1390)
  expect(await page.locator('tr').count()).toBeLessThanOrEqual(80)
  const region = page.getByRole('region', { name: 'Rides table' })
  // Relative to the region, because the page may scroll, too.
  const distanceBelowTop = async () =>
    (await header(page, 'Distance').boundingBox())!.y - (await region.boundingBox())!.y
  const before = await distanceBelowTop()
  // In one full run, the first key scrolled nothing.
  await expect(async () => {
    await region.press('PageDown')
    expect(await region.evaluate((element) => element.scrollTop)).toBeGreaterThan(100)
  }).toPass()
  await region.press('End')
  await expect(rideAt(page, count)).toBeInViewport()
  expect(await distanceBelowTop()).toBe(before)
  await expect(totals(page)).toBeInViewport()

  const printed = await page.evaluate(() => {
    window.dispatchEvent(new Event('beforeprint'))
    return document.querySelectorAll('li[data-row]').length
  })
  expect(printed).toBe(count)
})

test('the rides are one tab stop with arrow keys, and a ride keeps the focus when scrolled out of view', async ({
  page,
}) => {
  const region = page.getByRole('region', { name: 'Rides table' })
  const focused = page.locator('tbody a:focus')
  const row = page.getByRole('row').filter({ has: page.locator('a:focus') })
  const expectRow = async (place: number) => {
    await expect(row).toHaveAttribute('aria-rowindex', String(place))
    await expect(focused).toBeInViewport({ ratio: 1 })
    await expect(page.locator('tbody a[tabindex="0"]')).toHaveCount(1)
  }
  const last = bike.rides.length + 1
  const lastHeader = header(page, 'Elev. Gain').getByRole('button')
  await lastHeader.focus()
  await page.keyboard.press('Tab')
  await expectRow(2)
  for (const [key, place] of [
    ['ArrowDown', 3],
    ['ArrowUp', 2],
    ['ArrowUp', 2],
    ['End', last],
    ['ArrowDown', last],
    ['ArrowUp', last - 1],
    ['Home', 2],
  ] as const) {
    await page.keyboard.press(key)
    await expectRow(place)
  }
  await page.keyboard.press('PageDown')
  await expect(row).not.toHaveAttribute('aria-rowindex', '2')
  const place = Number(await row.getAttribute('aria-rowindex'))
  await expectRow(place)

  await page.keyboard.press('Shift+Tab')
  await expect(focused).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expectRow(place)

  const name = await focused.innerText()
  await region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(rideAt(page, bike.rides.length)).toBeInViewport()
  await expect(focused).toHaveText(name)
  await page.keyboard.press('ArrowDown')
  await expectRow(place + 1)

  await page.getByLabel('Search names').focus()
  await region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(rideAt(page, bike.rides.length)).toBeInViewport()
  await expect(rideAt(page, place)).toHaveCount(0)
  await lastHeader.focus()
  await page.keyboard.press('Tab')
  await expect(focused).toBeInViewport({ ratio: 1 })
  expect(await region.evaluate((element) => element.scrollTop)).toBeGreaterThan(1000)
})

test('explains failures, empty results and invalid dates, and requests only images that exist', async ({
  page,
}) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'image') requests.push(request.url())
  })
  await page.route('**/thumb.png', (route) => route.abort())
  await sortBy(page, 'Thumbnail')
  const withoutMap = new Set(bike.rides.filter((ride) => !ride.has_map).map((ride) => ride.id))
  expect(withoutMap.size).toBeGreaterThan(0)
  await expect(rideAt(page, 1).locator('svg')).toHaveCount(1)
  await page.getByRole('region', { name: 'Rides table' }).press('End')
  await expect(rideAt(page, bike.rides.length)).toBeInViewport()
  await expect(rideAt(page, bike.rides.length).locator('img')).toHaveCount(0)
  await expect.poll(() => requests.length).toBeGreaterThan(0)
  const ids = requests.flatMap((url) => /trips\/(\d+)/.exec(url)?.[1] ?? []).map(Number)
  expect(ids.filter((id) => withoutMap.has(id))).toEqual([])
  const heights = await rideRows(page).evaluateAll((rows) => rows.map((row) => row.clientHeight))
  expect(new Set(heights).size).toBe(1)

  await page.getByLabel('Search names').fill('no such name')
  await expect(page.getByText('No rides match these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expectCount(page, bike.rides.length)
  const from = page.getByRole('textbox', { name: 'From', exact: true })
  await page.getByLabel('To', { exact: true }).fill('01/01/1980')
  await expect(from).toHaveAccessibleDescription('“From” is after “To”.')
  await from.fill('foo')
  await expect(from).toHaveAccessibleDescription('Enter a date as MM/DD/YYYY.')
  await expect(page.getByText('“From” is after “To”.')).toBeHidden()

  await page.route('**/rest/v1/rides*', (route) => route.abort('connectionfailed'))
  await page.reload()
  await expect(page.getByText(/The rides could not be loaded\./)).toBeVisible()
  await page.unroute('**/rest/v1/rides*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expectCount(page, bike.rides.length)
})
