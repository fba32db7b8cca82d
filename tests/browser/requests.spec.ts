import type { Page, Request } from '@playwright/test'
import { bikes, expect, openMainScreen, signIn, test } from './fixtures.ts'

const RIDES = 'GET rides'
const LOG = 'GET log'
const USAGE = 'POST maintenance-use'

const QUIET_MS = 500

/** What was asked of the backend since the last call; resolves when all is answered and nothing more is asked. */
function listen(page: Page) {
  let asked: string[] = []
  const open = new Set<Request>()
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  page.on('request', (request) => {
    open.add(request)
    const { pathname, search } = new URL(request.url())
    const [, name] = /^\/(?:rest|auth|functions)\/v1\/(.+)$/.exec(pathname) ?? []
    // The log comes with its bike, as the spec has it.
    if (name) asked.push(`${request.method()} ${search.includes('maintenance%28') ? 'log' : name}`)
  })
  return async () => {
    let count
    do {
      count = asked.length
      await page.waitForTimeout(QUIET_MS)
    } while (open.size > 0 || asked.length > count)
    const all = asked.toSorted()
    asked = []
    return all
  }
}

const START = ['GET bikes', 'GET ride_syncs']
const bike = (page: Page, place: number) => bikes(page).getByRole('button').nth(place)
const useMiles = (page: Page) => page.getByRole('link', { name: /^[\d,]+\.\d\smi$/ }).first()

test('at the start nothing is asked for twice, be it signed in, reloaded, or with a bike in the address', async ({
  page,
  sample,
}) => {
  const asked = listen(page)
  await page.goto(sample.url)
  expect(await asked()).toEqual([])
  await signIn(page)
  await expect(bike(page, 0)).toBeVisible()
  expect(await asked()).toEqual([...START, 'POST token'])
  await page.reload()
  await expect(bike(page, 0)).toBeVisible()
  expect(await asked()).toEqual(START)

  await bike(page, 0).click()
  await expect(useMiles(page)).toBeVisible()
  await asked()
  await page.reload()
  await expect(useMiles(page)).toBeVisible()
  expect(await asked()).toEqual([START[0], LOG, START[1], RIDES, USAGE])
  await page.getByRole('tab', { name: 'Rides' }).click()
  await asked()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  expect(await asked()).toEqual([START[0], START[1], RIDES, USAGE])
})

test('choosing a bike loads its log and usage side by side, then its rides, each once', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, sample.url)
  await expect(bike(page, 0)).toBeVisible()
  const asked = listen(page)
  // Neither waits for the other's answer.
  const both = [page.waitForRequest(/maintenance-use/), page.waitForRequest(/rest\/v1\/bikes/)]
  const answer = Promise.withResolvers<void>()
  await page.route(/maintenance-use|rest\/v1\/bikes/, async (route) => {
    await answer.promise
    await route.continue()
  })
  await bike(page, 0).click()
  await Promise.all(both)
  const rides = page.waitForRequest(/rest\/v1\/rides/)
  const isLogShown = rides.then(() => useMiles(page).isVisible())
  answer.resolve()
  expect(await isLogShown).toBe(true)
  expect(await asked()).toEqual([LOG, RIDES, USAGE])

  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  expect(await asked()).toEqual([])
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  expect((await asked()).filter((one) => one !== LOG)).toEqual([])
})

test('a bike seen before is there at once, and is read again behind', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bike(page, 0).click()
  await expect(useMiles(page)).toBeVisible()
  const [miles, rows] = [await useMiles(page).textContent(), await page.getByRole('row').count()]
  await bike(page, 1).click()
  await expect(useMiles(page)).toBeVisible()

  const asked = listen(page)
  await asked()
  const answer = Promise.withResolvers<void>()
  await page.route(/maintenance-use|rest\/v1\/bikes/, async (route) => {
    await answer.promise
    await route.continue()
  })
  await bike(page, 0).click()
  await expect(useMiles(page)).toHaveText(miles!)
  await expect(page.getByRole('row')).toHaveCount(rows)
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
  answer.resolve()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  expect(await asked()).toEqual([LOG, USAGE])
})
