import type { Page, Request } from '@playwright/test'
import { bikes, expect, openMainScreen, signIn, test, signInOwner } from './fixtures.ts'

const RIDES = 'GET rides'
const LOG = 'GET log'
const USAGE = 'POST maintenance-use'

/** Returns a function that waits until every request has ended and the page is idle, and returns the requests since its last call. */
function listen(page: Page) {
  let seen: string[] = []
  const open = new Set<Request>()
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  page.on('request', (request) => {
    open.add(request)
    const { pathname, search } = new URL(request.url())
    const [, name] = /^\/(?:rest|auth|functions)\/v1\/(.+)$/.exec(pathname) ?? []
    // The log is read together with its bike.
    if (name) seen.push(`${request.method()} ${search.includes('maintenance%28') ? 'log' : name}`)
  })
  return async () => {
    let count
    do {
      count = seen.length
      await Promise.all([...open].map(async (request) => (await request.response())?.finished()))
      // Some requests wait for an idle callback themselves, so theirs comes before this one. A page that draws nothing has none.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 })))
    } while (open.size > 0 || seen.length > count)
    const all = seen.toSorted()
    seen = []
    return all
  }
}

const START = ['GET bikes', 'GET ride_syncs']
const GARAGE = [
  'POST garage',
  'POST part-lifetimes',
  'POST rpc/stored_parts',
  'POST spending',
  'POST to-check',
]
const DUE = 'POST service-due'
const bike = (page: Page, index: number) => bikes(page).getByRole('button').nth(index)
const useMiles = (page: Page) => page.getByRole('link', { name: /^[\d,]+\.\d\smi$/ }).first()

test('sends no request twice on sign-in, on reload or with a bike in the address', async ({
  page,
  sample,
}) => {
  const requests = listen(page)
  await page.goto(sample.url)
  expect(await requests()).toEqual([])
  await signIn(page)
  await expect(bike(page, 0)).toBeVisible()
  expect(await requests()).toEqual(
    [...START, ...GARAGE, 'POST rpc/set_time_zone', DUE, 'POST token'].toSorted(),
  )
  await page.reload()
  await expect(bike(page, 0)).toBeVisible()
  expect(await requests()).toEqual([...START, ...GARAGE, DUE].toSorted())

  await bike(page, 0).click()
  await expect(useMiles(page)).toBeVisible()
  await requests()
  await page.reload()
  await expect(useMiles(page)).toBeVisible()
  expect(await requests()).toEqual([START[0], LOG, START[1], RIDES, USAGE, DUE])
  await page.getByRole('tab', { name: 'Rides' }).click()
  await requests()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  expect(await requests()).toEqual([START[0], START[1], RIDES, USAGE, DUE])
})

test('choosing a bike loads its log and usage in parallel, then its rides', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  // The last that the Garage loads.
  await expect(page.getByRole('region', { name: 'Stored' })).toBeVisible()
  const requests = listen(page)
  await requests()
  // Neither waits for the other.
  const both = [page.waitForRequest(/maintenance-use/), page.waitForRequest(/rest\/v1\/bikes/)]
  const held = Promise.withResolvers<void>()
  await page.route(/maintenance-use|rest\/v1\/bikes/, async (route) => {
    await held.promise
    await route.continue()
  })
  await bike(page, 0).click()
  await Promise.all(both)
  const rides = page.waitForRequest(/rest\/v1\/rides/)
  const isLogShown = rides.then(() => useMiles(page).isVisible())
  held.resolve()
  expect(await isLogShown).toBe(true)
  expect(await requests()).toEqual([LOG, RIDES, USAGE])

  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  expect(await requests()).toEqual([])
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  expect((await requests()).filter((one) => one !== LOG)).toEqual([])
})

test('shows a bike seen before immediately and updates it in the background', async ({ page, sample }) => {
  const owner = await signInOwner(sample.url)
  const { data: items } = await owner
    .from('maintenance')
    .select('id, bikes!inner(name)')
    .eq('bikes.name', 'Blue Domane')
  // Header, new row and total. A long log renders in chunks.
  const rows = items!.length + 3
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  await expect(page.getByRole('row')).toHaveCount(rows)
  await expect(useMiles(page)).toBeVisible()
  const miles = await useMiles(page).textContent()
  await bike(page, 1).click()
  await expect(useMiles(page)).toBeVisible()

  const requests = listen(page)
  await requests()
  const held = Promise.withResolvers<void>()
  await page.route(/maintenance-use|rest\/v1\/bikes/, async (route) => {
    await held.promise
    await route.continue()
  })
  await bike(page, 0).click()
  await expect(useMiles(page)).toHaveText(miles!)
  await expect(page.getByRole('row')).toHaveCount(rows)
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
  held.resolve()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  expect(await requests()).toEqual([LOG, USAGE])
})
