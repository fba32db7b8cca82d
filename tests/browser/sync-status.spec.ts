import type { Page } from '@playwright/test'
import { PLANTED } from '../sync/ride-with-gps.ts'
import { trip, trips } from '../sync/trips.ts'
import { OWNER, startAccount } from './account.ts'
import { axeViolations } from './axe.ts'
import { bikes, expect, openMainScreen, signInOwner, test } from './fixtures.ts'

/** Long, with markup and a right-to-left script. */
const NAME = `<b>רכיבה</b>${'ארוכה '.repeat(200)}`.trim()
const BIKES = [
  { id: 1, nickname: 'Road' },
  { id: 2, nickname: 'Gravel' },
]

const status = (page: Page) => page.getByRole('status').filter({ hasText: 'Synced' })
const button = (page: Page, name: string) => page.getByRole('button', { name })

test('a real account starts empty, and its syncs show what changed, was skipped, is missing or failed', async ({
  page,
}) => {
  await using account = await startAccount()
  const { rwgps, stack } = account
  Object.assign(rwgps.behavior, { gear: BIKES, trips: trips(40) })
  await openMainScreen(page, stack.url, OWNER)
  expect(rwgps.requests).toEqual([])
  await expect(page.getByText('Sample data')).toHaveCount(0)
  await expect(bikes(page)).toHaveAttribute('aria-busy', 'false')
  await expect(bikes(page).getByRole('button')).toHaveCount(0)
  const line = page.getByRole('status').filter({ hasText: 'Rides have not been updated yet' })
  expect((await line.boundingBox())!.height).toBeLessThan(100)
  await button(page, 'Update Rides from RWGPS').click()
  await expect(bikes(page).getByRole('button')).toHaveText(['Gravel', 'Road'])
  // The pressed button has disappeared, so the first bike gets the focus.
  await expect(bikes(page).getByRole('button', { name: 'Gravel' })).toBeFocused()
  await bikes(page).getByRole('button', { name: 'Road' }).click()
  await expect(page.getByText(/^Total Miles [1-9]/)).toBeVisible()
  await expect(page.getByRole('row', { name: 'Total Cost:' })).toContainText('$0.00')
  const owner = await signInOwner(stack.url, OWNER)
  await owner.from('maintenance').insert({ bikeId: 1, name: 'Chain', dateStarted: '2026-01-01 01:00:00' })
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(status(page)).toHaveText(/40 rides, 40 new$/)
  await expect(button(page, 'Remove them now')).toHaveCount(0)
  await expect(button(page, 'Show skipped rides')).toHaveCount(0)

  await button(page, 'What changed').click()
  const dialog = page.getByRole('dialog', { name: 'What changed' })
  await expect(dialog).toContainText('Nothing has changed since the first sync')
  await page.keyboard.press('Escape')

  rwgps.behavior.trips = [
    ...trips(40, 4),
    trip(3, { gear_id: 2, name: NAME, distance: 45_052 }),
    trip(2),
    trip(1, { gear_id: 3 }),
  ]
  await button(page, 'Update Rides from RWGPS').click()
  await expect(status(page)).toContainText('2 changed')
  await button(page, 'What changed').click()
  await expect(dialog.getByRole('list', { name: 'Rides' }).locator('> li')).toContainText([
    'Bike: Gravel → Bike 3',
    `Name: Ride 3 → ${NAME}Bike: Road → GravelDistance: 12.4 mi → 28.0 mi`,
  ])
  await expect(dialog.getByRole('list', { name: 'Parts of Road' })).toHaveText(
    `Chain −12.4 mi: “${NAME.slice(0, 80)}…” moved to Gravel`,
  )
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(button(page, 'What changed')).toBeFocused()

  rwgps.behavior.trips = [trip(40), trip(39, { avg_cad: '80' }), trip(38, { distance: -1 }), {}]
  rwgps.behavior.page = (_, rows) => rows
  await button(page, 'Update Rides from RWGPS').click()
  await expect(status(page)).toContainText('4 rides, 2 skipped')
  await expect(status(page)).toContainText('37 rides are missing from the Ride with GPS list.')
  await expect(status(page)).toContainText('Some rows of the list have no readable ID, so they are kept.')
  await button(page, 'Show skipped rides').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'unreadable' })).toHaveText([
    'Ride 38: unreadable distance',
    'Row 4 of the list: unreadable ID',
  ])
  await expect(page.getByRole('link', { name: 'Ride 38' })).toHaveAttribute('href', `${rwgps.url}/trips/38`)
  await page.keyboard.press('Escape')

  rwgps.behavior.trips = [trip(40)]
  await button(page, 'Update Rides from RWGPS').click()
  await expect(status(page)).toContainText('39 rides are missing')
  await expect(button(page, 'Show skipped rides')).toHaveCount(0)
  await button(page, 'Remove them now').click()
  await expect(status(page)).toHaveText(/1 ride, 1 changed, 39 removed$|1 ride, 39 removed$/)
  await expect(button(page, 'Remove them now')).toHaveCount(0)
  await expect(button(page, 'Update Rides from RWGPS')).toBeFocused()

  // A tab that becomes visible shows the newest quick check, whether or not it found rides.
  const check = async () => {
    const { data } = await owner.functions.invoke('update-rides', { body: { check: true } })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    return data.status as string
  }
  Object.assign(rwgps.behavior, { trips: [trip(41, { gear_id: 1 }), trip(40)], page: undefined })
  const total = await page.getByText(/^Total Miles/).innerText()
  expect(await check()).toBe('ok')
  await expect(status(page)).toHaveText(/^Synced just now: 2 rides, 1 new$/)
  await expect(page.getByText(/^Total Miles/)).not.toHaveText(total)
  expect(await check()).toBe('unchanged')
  await expect(status(page)).toHaveText(/^Synced just now: 2 rides, 1 new$/)

  rwgps.behavior.rider = 99
  await button(page, 'Update Rides from RWGPS').click()
  const problem = (text: string) => page.getByRole('status').filter({ hasText: text })
  await expect(problem('belong to a different account than these rides')).toHaveText(/npm run switch-account/)

  rwgps.behavior.always = { user: { status: 401, body: '{"error":"Unable to authenticate"}' } }
  await button(page, 'Update Rides from RWGPS').click()
  await stack.line(/rwgps_unauthorized/)
  for (const secret of [PLANTED.password, PLANTED.apiKey, PLANTED.email])
    expect(stack.output()).not.toContain(secret)
  await expect(problem('Ride with GPS refused the sign-in.')).toHaveText(/Run “npm run connect”\.$/)
  await page.goto(stack.url)
  await expect(problem('Ride with GPS refused the sign-in.')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.goBack()
  await expect(button(page, 'Update Rides from RWGPS')).toBeEnabled()
  await expect(button(page, 'Update Rides from RWGPS')).not.toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})
