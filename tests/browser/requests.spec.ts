import type { Page } from '@playwright/test'
import { bikes, expect, openMainScreen, signIn, test } from './fixtures.ts'
import { DUE, listen, LOG, RIDES, SETTINGS, USAGE } from './listen.ts'

/** Waits for the background request for a bike's rides. Call it before opening the log. */
const ridesRequested = (page: Page) => page.waitForRequest(/rest\/v1\/rides/)

const START = ['GET bikes', 'GET ride_syncs', SETTINGS]
const GARAGE = ['POST garage', 'POST rpc/stored_parts', 'POST to-check']
const bike = (page: Page, name: string) => bikes(page).getByRole('button', { name })
const useMiles = (page: Page) => page.getByRole('link', { name: /^[\d,]+\.\d\smi$/ })

test('sends no request twice on sign-in, on reload or with a bike in the address', async ({
  page,
  sample,
}) => {
  const requests = listen(page)
  await page.goto(sample.url)
  expect(await requests()).toEqual([])
  await signIn(page)
  await expect(bike(page, 'Blue Domane')).toBeVisible()
  expect(await requests()).toEqual(
    [...START, ...GARAGE, 'POST rpc/set_time_zone', DUE, 'POST token'].toSorted(),
  )
  await page.reload()
  await expect(bike(page, 'Blue Domane')).toBeVisible()
  expect(await requests()).toEqual([...START, ...GARAGE, DUE].toSorted())

  let rides = ridesRequested(page)
  await bike(page, 'Blue Domane').click()
  await rides
  await requests()
  rides = ridesRequested(page)
  await page.reload()
  await rides
  expect(await requests()).toEqual([...START, LOG, RIDES, USAGE, DUE].toSorted())
  await page.getByRole('tab', { name: 'Rides' }).click()
  await requests()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  expect(await requests()).toEqual([...START, RIDES, USAGE, DUE].toSorted())
})

test('loads a bike’s log and usage in parallel, then its rides, and later only updates them', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, sample.url)
  // Stored parts are the last section that the Garage loads.
  await expect(page.getByRole('region', { name: 'Stored' })).toBeVisible()
  const requests = listen(page)
  await requests()
  const logRequests = [page.waitForRequest(/maintenance-use/), page.waitForRequest(/rest\/v1\/bikes/)]
  const releaseFirst = await delayLogRequests(page)
  await bike(page, 'Blue Domane').click()
  await Promise.all(logRequests)
  const isLogShown = ridesRequested(page).then(() => useMiles(page).count())
  releaseFirst()
  expect(await isLogShown).toBeGreaterThan(0)
  expect(await requests()).toEqual([LOG, RIDES, USAGE])

  const table = page.getByRole('table')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(table).toHaveAttribute('aria-busy', 'false')
  expect(await requests()).toEqual([])
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(table).toHaveAttribute('aria-busy', 'false')
  expect((await requests()).filter((request) => request !== LOG)).toEqual([])

  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  // Wait for a long log, which renders in chunks after its request.
  await requests()
  const miles = await useMiles(page).allTextContents()
  const rides = ridesRequested(page)
  await bike(page, 'Surly Cross-Check').click()
  await rides
  await requests()
  const releaseSecond = await delayLogRequests(page)
  await bike(page, 'Blue Domane').click()
  await expect(useMiles(page)).toHaveText(miles)
  await expect(table).toHaveAttribute('aria-busy', 'true')
  releaseSecond()
  await expect(table).toHaveAttribute('aria-busy', 'false')
  expect(await requests()).toEqual([LOG, USAGE])
})

for (const [saveData, title] of [
  [false, 'loads the next screens’ code once the Garage is complete'],
  [true, 'loads no code ahead with Save-Data'],
] as const) {
  test(title, async ({ page, sample }) => {
    const chunks: string[] = []
    page.on('request', (request) => chunks.push(/\/assets\/(\w+)-[\w-]+\.js$/.exec(request.url())?.[1] ?? ''))
    await page.addInitScript(
      (value) => Object.defineProperty(navigator, 'connection', { value: { saveData: value } }),
      saveData,
    )
    // Playwright logs this when it blocks the service worker, which is registered last.
    const registered = page.waitForEvent('console', (message) => message.text().includes('Service Worker'))
    await openMainScreen(page, sample.url)
    await expect(page.getByRole('region', { name: 'Stored' })).toBeVisible()
    await registered
    const ahead = ['RidesTab', 'Lifetimes', 'Spending']
    expect(chunks.filter((name) => ahead.includes(name)).toSorted()).toEqual(saveData ? [] : ahead.toSorted())
    chunks.length = 0
    await page.getByRole('tab', { name: 'Lifetimes' }).click()
    await expect(page.getByRole('heading', { name: 'Chains' })).toBeVisible()
    expect(chunks.includes('Lifetimes')).toBe(saveData)
  })
}

async function delayLogRequests(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/maintenance-use|rest\/v1\/bikes/, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}
