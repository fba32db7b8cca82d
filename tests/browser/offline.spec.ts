import type { Locator, Page } from '@playwright/test'
import {
  allStoredData,
  banner,
  cacheKeys,
  expect,
  expireSession,
  storedUser,
  test,
  visit,
} from './offline-page.ts'
import { axeViolations } from './axe.ts'
import { bikes, openAccount, openSettings, signInOwner } from './fixtures.ts'

// The bike with the shortest log.
const BIKE = 'Surly Cross-Check'
const OTHER = 'Warbird'
const DRAFT = 'half typed'

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true })

test.use({ serviceWorkers: 'allow', ownContext: true })

test('keeps drafts in an outage, and after a reload shows the cached log and rides with their date, and disables what needs the network', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  const owner = await signInOwner(tracker.url)
  const { data: items } = await owner
    .from('maintenance')
    .select('id, name, bikes!inner(name)')
    .eq('bikes.name', BIKE)
  const item = items![0]!
  const row = page.locator(`[data-item="${item.id}"]`)
  const name = row.getByRole('textbox', { name: 'Name' })
  const miles = page.getByRole('link', { name: /^Total Miles/ })
  await expect(miles).toHaveText(/\d/)
  const shown = await miles.innerText()
  const details = page.getByRole('region', { name: `Details of ${item.name}` })
  const lifetime = details.getByRole('region', { name: 'Lifetime' })
  await page.getByRole('button', { name: `Details of ${item.name}` }).click()
  const lasted = await lifetime.innerText()
  await expect.poll(() => cacheKeys(page)).toContainEqual(expect.stringContaining('/part/'))

  await page.context().setOffline(true)
  await expect(banner(page)).toHaveText(/M\.$/)
  await name.fill(DRAFT)
  await expect(miles).toHaveText(shown)
  await page.context().setOffline(false)
  await expect(banner(page)).toHaveCount(0)
  await expect(name).toHaveValue(DRAFT)

  await tracker.down()
  await page.reload()
  await expect(banner(page)).toHaveText(
    /^Offline\. Showing data from \d\d\/\d\d\/\d{4}, \d{1,2}:\d\d [AP]M\. What you change waits for the network/,
  )
  await expect(page.locator('[data-item]')).toHaveCount(items!.length)
  await expect(miles).toHaveText(shown)
  await expect(lifetime).toHaveText(lasted.replaceAll('\n', ''))
  await expect(name).toBeEditable()
  const description = await banner(page).innerText()
  const expectDisabled = async (...controls: Locator[]) => {
    for (const control of controls) {
      await expect(control).toBeDisabled()
      await expect(control).toHaveAccessibleDescription(description)
    }
  }
  await expectDisabled(button(row, 'Delete'))
  await openSettings(page)
  await expectDisabled(button(page, 'Import'), button(page, 'Change password'))
  await page.goBack()
  await expect(name).toHaveValue(DRAFT)
  // In a tall window, the sticky header covers no rows.
  await page.setViewportSize({ width: 375, height: 2000 })
  expect(await axeViolations(page)).toEqual([])
  // On a phone, the open entry is a dialog.
  await button(page.getByRole('dialog'), 'Close').click()
  await page.setViewportSize({ width: 1440, height: 2000 })

  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('row').filter({ hasText: /\smi/ })).not.toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Update Rides from RWGPS' })).toBeDisabled()
  await expect(page.getByText(/^Synced/)).toHaveCount(0)
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()

  await tracker.up()
  await expect(banner(page)).toHaveCount(0)
  await expect(name).toHaveValue(DRAFT)
  await name.press('Escape')
  await expect(name).toHaveValue(item.name)
  await expect(name).toBeEditable()
})

test('shows cached data to the owner of an expired session until Auth refreshes or rejects it', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  const remove = page.getByRole('button', { name: /^Delete/ }).first()
  const user = await storedUser(page)
  await expireSession(page, { user: { ...user, id: 'another' } })
  await tracker.down()
  await page.reload()
  await expect(page.getByText(/^The bikes could not be loaded\. The tracker cannot be reached/)).toBeVisible()
  await expect(page.getByText(BIKE)).toHaveCount(0)

  await expireSession(page, { user })
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await expect(remove).toBeDisabled()
  await openAccount(page)
  await expect(page.getByText('owner@example.com')).toBeVisible()
  await page.keyboard.press('Escape')
  await tracker.up()
  await expect(banner(page)).toHaveCount(0)
  await expect(remove).toBeEnabled()

  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await expireSession(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => allStoredData(page)).not.toContain(BIKE)
})

async function expectSignedOut(tabs: Page[]) {
  for (const tab of tabs) await expect(tab.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => cacheKeys(tabs[0]!)).toEqual([])
  const left = await allStoredData(tabs[0]!)
  for (const word of [BIKE, 'gear_id', 'access_token', 'owner@example.com'])
    expect(left).not.toContain(`"${word}"`)
}

test('Sign Out ends the session in every tab, even offline, and caches no later response', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  expect(await allStoredData(page)).toContain(BIKE)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.getByRole('table')).toBeVisible()

  const held = Promise.withResolvers<void>()
  const requested = page.waitForRequest('**/rest/v1/rides*')
  await page.route('**/rest/v1/rides*', async (route) => {
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response })
  })
  await bikes(page).getByRole('button', { name: OTHER }).click()
  const request = await requested
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  held.resolve()
  await (await request.response())?.finished()
  // The cache is written in an idle callback, which runs before these callbacks.
  for (let count = 0; count < 2; count++)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 })))
  await expectSignedOut([page, other])
  await page.goBack()
  await other.reload()
  await expectSignedOut([page, other])
  await page.unroute('**/rest/v1/rides*')

  // Offline, Sign Out doesn't wait for a pending refresh.
  await other.goto('about:blank')
  await visit(page, tracker.url, BIKE)
  await expireSession(page)
  await tracker.down()
  await page.reload()
  await other.goto(page.url())
  for (const tab of [page, other]) await expect(banner(tab)).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expectSignedOut([page, other])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})
