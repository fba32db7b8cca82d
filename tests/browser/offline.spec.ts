import { allStoredData, banner, cacheKeys, expect, expireSession, test, visit } from './offline-page.ts'
import { findings } from './axe.ts'
import { bikes, openAccount } from './fixtures.ts'

const BIKE = 'Blue Domane'
const DRAFT = 'half typed'

test.use({ serviceWorkers: 'allow', ownContext: true })
test('offline, shows the cached log and rides read-only with their date', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  const name = page.getByRole('textbox', { name: 'Name' }).first()
  const [first, rows] = [await name.inputValue(), await page.getByRole('row').count()]
  const miles = await page.getByRole('link', { name: /^Total Miles/ }).innerText()
  await name.fill(DRAFT)
  await tracker.down()
  await page.reload()

  await expect(banner(page)).toHaveText(
    /^Offline\. Showing data from \d\d\/\d\d\/\d{4}, \d{1,2}:\d\d [AP]M\. You can make changes again/,
  )
  await expect(page.getByRole('row')).toHaveCount(rows)
  await expect(page.getByRole('link', { name: miles })).toBeVisible()
  for (const field of ['Name', 'Description', 'Cost', 'Start', 'End']) {
    await expect(page.getByRole('textbox', { name: field }).nth(1)).not.toBeEditable()
  }
  await expect(page.getByRole('combobox', { name: 'Type' }).first()).toBeDisabled()
  const reason = { description: await banner(page).innerText() }
  await openAccount(page)
  for (const button of ['SAVE', 'Delete', '+ADD ROW', 'Import', 'Change password']) {
    const it = page.getByRole('button', { name: button, exact: true }).first()
    await expect(it).toBeDisabled()
    await expect(it).toHaveAccessibleDescription(reason.description)
  }
  await page.keyboard.press('Escape')
  await expect(name).toHaveValue(DRAFT)
  await name.press('Escape')
  await name.press('Tab')
  await expect(name).toHaveValue(DRAFT)
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await findings(page)).toEqual([])
  }

  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Update Rides from RWGPS' })).toBeDisabled()
  await expect(page.getByText(/^Last updated/)).toHaveCount(0)

  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await expect(page.getByText(/^The log could not be loaded\. The tracker cannot be reached/)).toBeVisible()
  await bikes(page).getByRole('button', { name: BIKE }).click()

  await tracker.up()
  await expect(banner(page)).toHaveCount(0)
  await expect(name).toHaveValue(DRAFT)
  await name.press('Escape')
  await expect(name).toHaveValue(first)
  await expect(name).toBeEditable()
})

test('offline with an expired session, shows cached data until the session is refreshed', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  await expireSession(page)
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' }).first()).not.toBeEditable()
  await openAccount(page)
  await expect(page.getByText('owner@example.com')).toBeVisible()
  await page.keyboard.press('Escape')
  await tracker.up()
  await expect(banner(page)).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Name' }).first()).toBeEditable()
})

test('clears the cache when Auth rejects the session', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  await expireSession(page)
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await tracker.up()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => allStoredData(page)).not.toContain(BIKE)
})

for (const network of ['with', 'without']) {
  test(`Sign Out ${network} a network clears the cache in every tab`, async ({ page, tracker }) => {
    await visit(page, tracker.url, BIKE)
    expect(await allStoredData(page)).toContain(BIKE)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expect(other.getByRole('row').nth(3)).toBeVisible()
    if (network === 'without') {
      await tracker.down()
      await page.reload()
      await expect(banner(page)).toBeVisible()
    }
    await page.getByRole('button', { name: 'Sign Out' }).click()
    for (const tab of [page, other]) await expect(tab.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expect.poll(() => cacheKeys(page)).toEqual([])
    const left = await allStoredData(page)
    for (const word of [BIKE, 'gear_id', 'access_token', 'owner@example.com'])
      expect(left).not.toContain(`"${word}"`)
  })
}

test('Sign Out does not wait for a pending refresh', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  await expireSession(page)
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => cacheKeys(page)).toEqual([])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('does not cache data that arrives after Sign Out', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  const held = Promise.withResolvers<void>()
  const requested = page.waitForRequest('**/rest/v1/rides*')
  await page.route('**/rest/v1/rides*', async (route) => {
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response })
  })
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  const request = await requested
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  held.resolve()
  await (await request.response())?.finished()
  // The cache is written in an idle callback, so it has run before these.
  for (let count = 0; count < 2; count++)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 })))
  expect(await cacheKeys(page)).toEqual([])
})

test('does not show cached data to another owner', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  await expireSession(page)
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('auth-token'))!
    const session = JSON.parse(localStorage[key])
    localStorage.setItem(key, JSON.stringify({ ...session, user: { ...session.user, id: 'another' } }))
  })
  await tracker.down()
  await page.reload()
  await expect(page.getByText(/^The bikes could not be loaded\. The tracker cannot be reached/)).toBeVisible()
  await expect(page.getByText(BIKE)).toHaveCount(0)
})

test('a short outage keeps the screen and drafts', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  const name = page.getByRole('textbox', { name: 'Name' }).first()
  const rows = await page.getByRole('row').count()
  await page.context().setOffline(true)
  await expect(banner(page)).toHaveText(/M\.$/)
  await name.fill(DRAFT)
  await expect(page.getByRole('row')).toHaveCount(rows)
  await page.context().setOffline(false)
  await expect(banner(page)).toHaveCount(0)
  await expect(name).toHaveValue(DRAFT)
})
