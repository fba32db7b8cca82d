import type { Page } from '@playwright/test'
import { bikes, expect, openMainScreen, signIn, test } from './fixtures.ts'
import { DOUBTED, DUE, listen, LOG, RIDES, SETTINGS, USAGE } from './listen.ts'

const START = ['GET bikes', 'GET ride_syncs', SETTINGS, 'POST rpc/time_zone']
const GARAGE = ['POST garage', 'POST rpc/stored_parts', 'POST to-check']
const bike = (page: Page, name: string) => bikes(page).getByRole('button', { name })
const useMiles = (page: Page) => page.getByRole('link', { name: /^[\d,]+\.\d\smi$/ })

test('sends no request twice on sign-in, on reload or with a bike in the address', async ({
  page,
  sample,
}) => {
  const requests = listen(page)
  await page.goto(sample.url)
  await requests.expect()
  await signIn(page)
  await expect(bike(page, 'Blue Domane')).toBeVisible()
  await requests.expect(...START, ...GARAGE, DUE, 'POST token')
  await page.reload()
  await expect(bike(page, 'Blue Domane')).toBeVisible()
  await requests.expect(...START, ...GARAGE, DUE)

  await bike(page, 'Blue Domane').click()
  await requests.skip(RIDES)
  await page.reload()
  await requests.expect(...START, LOG, RIDES, USAGE, DUE)
  await page.getByRole('tab', { name: 'Rides' }).click()
  await requests.skip()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  await requests.expect(...START, RIDES, DOUBTED, USAGE, DUE)
})

test('loads a bike’s log and usage in parallel, then its rides, and later only updates them', async ({
  page,
  sample,
}) => {
  const requests = listen(page)
  await openMainScreen(page, sample.url)
  await requests.skip(...GARAGE)
  const logRequests = [page.waitForRequest(/maintenance-use/), page.waitForRequest(/rpc\/log_items/)]
  const releaseFirst = await delayLogRequests(page)
  const isLogShown = page.waitForRequest(/rest\/v1\/rides/).then(() => useMiles(page).count())
  await bike(page, 'Blue Domane').click()
  await Promise.all(logRequests)
  releaseFirst()
  expect(await isLogShown).toBeGreaterThan(0)
  await requests.expect(LOG, RIDES, USAGE)

  const table = page.getByRole('table')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(table).toHaveAttribute('aria-busy', 'false')
  await requests.expect(DOUBTED)
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  // A long log renders in chunks after its request.
  await requests.skip(LOG)
  const miles = await useMiles(page).allTextContents()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(table).toHaveAttribute('aria-busy', 'false')
  await requests.expect()

  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await bike(page, 'Surly Cross-Check').click()
  await requests.skip(RIDES)
  const releaseSecond = await delayLogRequests(page)
  await bike(page, 'Blue Domane').click()
  await expect(useMiles(page)).toHaveText(miles)
  await expect(table).toHaveAttribute('aria-busy', 'true')
  releaseSecond()
  await expect(table).toHaveAttribute('aria-busy', 'false')
  await requests.expect(LOG, USAGE)
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
    const ahead = ['rides', 'Lifetimes', 'Spending']
    expect(chunks.filter((name) => ahead.includes(name)).toSorted()).toEqual(saveData ? [] : ahead.toSorted())
    chunks.length = 0
    await page.getByRole('tab', { name: 'Lifetimes' }).click()
    await expect(page.getByRole('heading', { name: 'Chains' })).toBeVisible()
    expect(chunks.includes('Lifetimes')).toBe(saveData)
  })
}

async function delayLogRequests(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/maintenance-use|rpc\/log_items/, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}
