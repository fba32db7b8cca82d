import type { Locator, Page, Request } from '@playwright/test'
import { ROAD } from '../../sample/gear.ts'
import { expect, openMainScreen, signInOwner, SMALL_WINDOWS, test } from './fixtures.ts'

/** Requests whose responses arrive last, in this order. */
const LATE = [
  'to-check',
  '/rest/v1/bikes',
  '/rest/v1/ride_syncs',
  '/rest/v1/rides',
  'maintenance-use',
  'functions/v1/garage',
  'service-due',
]
/** How late the last response is in the Garage, which must not show the rest any sooner. */
const LATER_MS = 1100
/** Allows for the footer's return into view. */
const LARGEST_SHIFT = 0.02

for (const [viewport, late] of [
  [{ width: 1440, height: 900 }, LATE],
  [{ width: 375, height: 812 }, LATE.toReversed()],
] as const) {
  test(`late responses cause no layout shift at ${viewport.width} px`, async ({ page, sample }) => {
    await page.setViewportSize(viewport)
    const owner = await signInOwner(sample.url)
    const { data: bike } = await owner.from('bikes').select('gear_id').eq('name', 'Blue Domane').single()
    const log = `${sample.url}/#bike=${bike!.gear_id}`
    const table = page
      .getByRole('table')
      .or(page.getByRole('main').getByRole('list').and(page.locator('[aria-busy]')))
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Open Warbird' }) })
    for (const [url, shown, wait] of [
      [log, table, 0],
      [`${log}&tab=rides`, table, 0],
      [`${sample.url}/#garage`, card.getByText(/ this year$/), LATER_MS],
    ] as const) {
      const shift = await totalLayoutShift(page, url, late, shown, wait)
      expect(shift, url).toBeLessThan(LARGEST_SHIFT)
    }
  })
}

async function totalLayoutShift(
  page: Page,
  url: string,
  late: readonly string[],
  shown: Locator,
  wait: number,
): Promise<number> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  const held: { place: number; requestId: string }[] = []
  // Playwright's routes would disable the browser's cache.
  const devTools = await page.context().newCDPSession(page)
  devTools.on('Fetch.requestPaused', ({ requestId, request }) => {
    held.push({ place: late.findIndex((part) => request.url.includes(part)), requestId })
  })
  await devTools.send('Fetch.enable', { patterns: late.map((part) => ({ urlPattern: `*${part}*` })) })
  await page.goto('about:blank')
  await openMainScreen(page, url)
  do {
    held.sort((one, other) => one.place - other.place)
    const next = held.shift()
    if (held.length === 0) await page.waitForTimeout(wait)
    if (next) await devTools.send('Fetch.continueRequest', { requestId: next.requestId })
    await expect.poll(() => open.size - held.length).toBe(0)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  } while (open.size > 0)
  await expect(shown).toBeVisible()
  await devTools.detach()
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list, observer) => {
          for (const shift of list.getEntries()) sum += (shift as PerformanceEntry & { value: number }).value
          observer.disconnect()
          resolve(sum)
        }).observe({ type: 'layout-shift', buffered: true })
        // Without any shift, the observer is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
}

test('cuts off no log entry or service task on small screens', async ({ page, sample }) => {
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}&show=all`)
  await page.getByRole('button', { name: /^\d+ tasks?$/ }).click()
  for (const [width, height] of SMALL_WINDOWS) {
    await page.setViewportSize({ width, height })
    await expect(page.getByRole('button', { name: /^Details of /, expanded: false })).not.toHaveCount(0)
    await expect(page.getByRole('link', { name: /mi$/ }).first()).toBeVisible()
    expect(await layoutErrors(page), `${width} × ${height}`).toEqual([])
  }

  await page.setViewportSize({ width: 390, height: 844 })
  const due = page.getByRole('list', { name: 'Due on this bike' })
  const ends = await Promise.all(
    (await due.getByRole('button', { name: 'Choices' }).all()).map(async (arrow) => {
      const { x, width } = (await arrow.boundingBox())!
      return Math.round(x + width)
    }),
  )
  expect(ends.length).toBeGreaterThan(1)
  expect(new Set(ends).size).toBe(1)

  // The totals stay in sight, unless the window is too low to spare the height.
  for (const [height, isSticky] of [
    [390, false],
    [844, true],
  ] as const) {
    await page.setViewportSize({ width: 844, height })
    await page
      .getByRole('button', { name: /^Details of / })
      .first()
      .hover()
    const totals = expect(page.getByText('Total Cost:'))
    await (isSticky ? totals : totals.not).toBeInViewport()
  }
})

test('a phone first shows the parts in use, finds all, and shows what is due on an opened part', async ({
  page,
  sample,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}`)
  const entry = (name: string) => page.getByRole('button', { name: `Details of ${name}`, exact: true })
  await expect(entry('Favero Assioma DUO')).toBeVisible()
  await expect(entry('Shimano 105 SPD-SL')).toHaveCount(0)
  await page.getByRole('button', { name: 'Find entries' }).click()
  await page.getByRole('searchbox', { name: 'Find entries' }).fill('bike fit')
  await expect(page.getByRole('status').filter({ hasText: '1 entry found' })).toBeVisible()
  // Work has one day and isn't ridden.
  await expect(page.getByRole('listitem').filter({ has: entry('Bike fit') })).toHaveText(
    'Bike fitBike fit03/09/2024$225.00Stem 10 mm shorter, saddle 4 mm up',
  )
  await page.getByRole('button', { name: 'Find entries' }).click()
  await page.getByRole('button', { name: 'Filter and sort: In use' }).click()
  await page.getByRole('radio', { name: 'All' }).check()
  await page.keyboard.press('Escape')
  await expect(entry('Shimano 105 SPD-SL')).toBeVisible()
  // A move's continuation has no cost.
  const period = page.locator('[data-item]').filter({ hasText: 'Hunt 44' }).last()
  await expect(period).toContainText('since 09/20/2025')
  await expect(period).not.toContainText('$')

  await entry('KMC X11SL chain').click()
  const details = page.getByRole('region', { name: 'Details of KMC X11SL chain' })
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
  await expect(details.getByRole('button', { name: 'Replace…' })).toBeInViewport({ ratio: 1 })
  await expect(details.getByText(/^in \d+ mi$/).first()).toBeInViewport({ ratio: 1 })
})

test('the columns of details follow what there is', async ({ page, sample }) => {
  const top = (name: string) =>
    details.getByRole('heading', { name, exact: true }).evaluate((one) => one.getBoundingClientRect().top)
  const details = page.getByRole('region', { name: /^Details of / })
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}`)
  await page.getByRole('button', { name: 'Details of Favero Assioma DUO' }).click()
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
  for (const name of ['Lifetime', 'Cost so far', 'History'])
    expect(Math.abs((await top(name)) - (await top('Service'))), name).toBeLessThan(10)
  const { right } = await details.evaluate((one) => one.getBoundingClientRect())
  const end = await details.getByRole('table').evaluate((one) => one.getBoundingClientRect().right)
  expect(right - end).toBeLessThan(100)

  await page.getByRole('button', { name: 'Details of KMC X11SL chain' }).click()
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
  await expect(details.getByRole('button', { name: 'Done' })).toHaveCount(2)
  expect((await top('Wear')) - (await top('Service'))).toBeGreaterThan(100)
  expect(Math.abs((await top('Lifetime')) - (await top('Service')))).toBeLessThan(60)
})

test('at twice its size, a phone’s page doesn’t scroll sideways', async ({ page, sample }) => {
  await page.setViewportSize({ width: 195, height: 422 })
  await openMainScreen(page, sample.url)
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect(page.getByText('per mile in all')).toBeVisible()
  await expect.poll(width).toBe(195)
  for (const [tab, text] of [
    ['Lifetimes', 'Chains'],
    ['Spending', 'What riding costs'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByText(text).first()).toBeVisible()
    await expect.poll(width).toBe(195)
  }
  await page.goto(`${sample.url}/#settings`)
  await expect(page.getByText('Week starts on').first()).toBeVisible()
  await expect.poll(width).toBe(195)
})

const layoutErrors = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth > width) found.push('The page scrolls sideways')
    const [main, log] = [document.querySelector('main')!, document.querySelector('[data-log]')!]
    for (const box of main.querySelectorAll<HTMLElement>('div, ul, table'))
      if (box.scrollWidth > box.clientWidth && ['auto', 'scroll'].includes(getComputedStyle(box).overflowX))
        found.push(`Scrolls sideways: ${box.className}`)
    const rows = [...log.querySelectorAll<HTMLElement>('[data-item]'), ...main.querySelectorAll('li')]
    for (const row of rows) {
      const name = row.textContent
      if (row.getBoundingClientRect().height > 120) found.push(`Too high: ${name}`)
      for (const part of row.querySelectorAll<HTMLElement>('a, button, td, span')) {
        const { left, right } = part.getBoundingClientRect()
        if (left < 0 || right > width) found.push(`Off the screen: ${part.textContent}, ${name}`)
        const isName = part.matches('button, a')
        if (isName && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1))
          found.push(`Cut off: ${part.textContent}`)
      }
    }
    return found
  })
