import type { Page } from '@playwright/test'
import { prepareTracker, startPrepared } from '../postgres.ts'
import { SIGN_IN, startRideWithGps } from '../sync/ride-with-gps.ts'
import { trip, trips } from '../sync/trips.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

const owner = { email: 'owner@example.com', password: 'correct horse' }

const status = (page: Page) => page.getByRole('status').filter({ hasText: 'Last updated' })
const button = (page: Page, name: string) => page.getByRole('button', { name })

test('shows skipped rides, missing rides and a different account', async ({ page }) => {
  const rwgps = await startRideWithGps()
  const stack = await startPrepared(await prepareTracker(), {
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    RWGPS_BASE_URL: rwgps.url,
    ...SIGN_IN,
  })
  try {
    Object.assign(rwgps.play, { gear: [{ id: 1, nickname: 'Road' }], trips: trips(40) })
    await openMainScreen(page, stack.url, owner)
    await button(page, 'Update Rides from RWGPS').click()
    await bikes(page).getByRole('button').click()
    await page.getByRole('tab', { name: 'Rides' }).click()
    await expect(status(page)).toHaveText(/40 rides, 40 new$/)
    await expect(button(page, 'Remove them now')).toHaveCount(0)
    await expect(button(page, 'Show skipped rides')).toHaveCount(0)

    rwgps.play.trips = [trip(40), trip(39, { avg_cad: '80' }), trip(38, { distance: -1 }), {}]
    rwgps.play.page = (_, rows) => rows
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

    rwgps.play.trips = [trip(40)]
    await button(page, 'Update Rides from RWGPS').click()
    await expect(status(page)).toContainText('39 rides are missing')
    await expect(button(page, 'Show skipped rides')).toHaveCount(0)
    await button(page, 'Remove them now').click()
    await expect(status(page)).toHaveText(/1 ride, 1 changed, 39 removed$|1 ride, 39 removed$/)
    await expect(button(page, 'Remove them now')).toHaveCount(0)
    await expect(button(page, 'Update Rides from RWGPS')).toBeFocused()

    rwgps.play.rider = 99
    await button(page, 'Update Rides from RWGPS').click()
    await expect(status(page)).toContainText('belong to a different account than these rides')
    await expect(page.getByRole('alert')).toHaveCount(0)
  } finally {
    await stack.stop()
    await rwgps.close()
  }
})
