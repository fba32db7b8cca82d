import { expect, test, signInOwner } from './fixtures.ts'
import { dayOf, names, openRides, readBike, rideAt, rideRows } from './rides-page.ts'

const MAX_ROW = 120

let bike: Awaited<ReturnType<typeof readBike>>

test.beforeEach(async ({ sample }) => {
  bike = await readBike(await signInOwner(sample.url), 'Blue Domane')
})

for (const viewport of [
  { width: 320, height: 568 },
  { width: 844, height: 390 },
]) {
  test(`shows each ride on two lines that scroll with the page at ${viewport.width} px`, async ({
    page,
    sample,
  }) => {
    await page.setViewportSize(viewport)
    await openRides(page, sample.url, bike)
    await expect(page.getByText(`${bike.rides.length} rides · `)).toBeVisible()
    const count = String(bike.rides.length)
    await expect(rideAt(page, 1)).toHaveAttribute('aria-setsize', count)
    await expect(rideAt(page, 1)).toHaveText(/Distance .+Moving Time .+Avg Speed .+Elev\. Gain /)

    const isWithinWindow = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
    expect(await isWithinWindow()).toBe(true)
    const rows = await rideRows(page).evaluateAll((rows) =>
      rows.map((row) => ({
        height: row.getBoundingClientRect().height,
        cut: [...row.querySelectorAll(':scope > span')].filter((cell) => cell.scrollWidth > cell.clientWidth)
          .length,
      })),
    )
    expect(rows.length).toBeGreaterThan(3)
    for (const { height, cut } of rows) {
      expect(height).toBeLessThanOrEqual(MAX_ROW)
      expect(cut).toBe(0)
    }

    await rideRows(page).first().getByRole('link').focus()
    await page.keyboard.press('End')
    const last = rideAt(page, bike.rides.length)
    await expect(last.getByRole('link')).toBeFocused()
    await expect(last).toBeInViewport({ ratio: 1 })
    await expect(last).toContainText('mi')
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1000)
    expect(await rideRows(page).count()).toBeLessThan(60)
    await expect(rideAt(page, bike.rides.length - 1)).toBeInViewport()
    expect(await isWithinWindow()).toBe(true)
  })
}

test('keeps the focus on a ride when the window gets narrower or wider', async ({ page, sample }) => {
  await openRides(page, sample.url, bike)
  await rideRows(page).first().getByRole('link').focus()
  await page.keyboard.press('End')
  const link = rideAt(page, bike.rides.length).getByRole('link')
  for (const width of [820, 1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('table')).toHaveCount(width === 1440 ? 1 : 0)
    await expect(link).toBeFocused()
    await expect(link).toBeInViewport()
  }
})

test('on a phone, a tap on a month filters, a button opens the filters, and the order is remembered', async ({
  page,
  sample,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openRides(page, sample.url, bike)
  await expect(page.getByLabel('From', { exact: true })).toHaveCount(0)
  const month = page.getByRole('figure').getByRole('button').last()
  const label = (await month.getAttribute('aria-label'))!
  const start = new Date(`1 ${/^\w+ \d{4}/.exec(label)![0]} UTC`).toISOString().slice(0, 7)
  const tapped = bike.rides.filter((ride) => dayOf(ride).startsWith(start))
  await month.click()
  for (const about of [/^\d\d\/\d\d\/\d{4}$/, /^Distance [\d.]+\smi$/])
    await expect(rideAt(page, 1).getByText(about)).toBeInViewport({ ratio: 1 })
  await expect(page.getByText(`${tapped.length} of ${bike.rides.length} rides`)).toBeVisible()
  expect((await names(page)).toSorted()).toEqual(tapped.map((ride) => ride.name!).toSorted())

  const [year, monthOfYear] = start.split('-')
  await expect(page.getByText(new RegExp(`^${monthOfYear}/01/${year} – `))).toBeVisible()
  const filters = page.getByRole('button', { name: 'Filters', exact: true })
  await filters.click()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(`${monthOfYear}/01/${year}`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await filters.click()
  await expect(page.getByLabel('From', { exact: true })).toHaveCount(0)

  await page.getByLabel('Sort').selectOption('Newest first')
  const newest = bike.rides.toSorted((a, b) => b.started_at!.localeCompare(a.started_at!))[0]!
  await expect(rideAt(page, 1).getByRole('link')).toHaveAttribute('href', new RegExp(`/trips/${newest.id}$`))
  // The order also applies to the next visit, in a wide window.
  await page.goto('about:blank')
  await page.setViewportSize({ width: 1440, height: 900 })
  await openRides(page, sample.url, bike)
  await expect(page.getByLabel('Sort')).toHaveValue('-date')
  await expect(rideAt(page, 1).getByRole('link')).toHaveAttribute('href', new RegExp(`/trips/${newest.id}$`))
})
