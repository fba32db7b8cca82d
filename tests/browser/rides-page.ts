import { expect, type Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'
import { openMainScreen } from './fixtures.ts'

const COLUMNS =
  'id, name, gear_id, started_at, distance, duration, moving_time, max_speed, avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, has_map'

export async function readBike(owner: OwnerClient, name: string) {
  const { data: bike } = await owner.from('bikes').select('gear_id, name').eq('name', name).single()
  const { data: rides } = await owner.from('rides').select(COLUMNS).eq('gear_id', bike!.gear_id)
  return { ...bike!, rides: rides! }
}

export type StoredRide = Awaited<ReturnType<typeof readBike>>['rides'][number]

export async function openRides(page: Page, url: string, { gear_id }: { gear_id: number }) {
  await openMainScreen(page, `${url}/#bike=${gear_id}&tab=rides`)
  await expect(list(page)).toHaveAttribute('aria-busy', 'false')
}

export const table = (page: Page) => page.getByRole('table')

/** The table or, on a tablet or phone, the cards. */
const list = (page: Page) => table(page).or(page.getByRole('list', { name: /^Rides, / }))

export const rideRows = (page: Page) =>
  list(page)
    .locator('tr, li')
    .filter({ has: page.getByRole('link') })

/** Finds a ride by its 1-based position. Only visible and nearby rows are in the document. */
export const rideAt = (page: Page, place: number) =>
  list(page).locator(`[aria-rowindex="${place + 1}"], [aria-posinset="${place}"]`)

export const totals = (page: Page) => table(page).getByRole('row', { name: /^Total: / })

export const names = (page: Page) => rideRows(page).getByRole('link').allTextContents()

/** The table's row count also includes the header and totals rows. */
export const expectCount = (page: Page, count: number) =>
  expect(table(page)).toHaveAttribute('aria-rowcount', String(count + 2))

export const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })

export const sortBy = (page: Page, name: string) => header(page, name).getByRole('button').click()

export const dayOf = (ride: StoredRide) => ride.started_at!.slice(0, 10)

export const typed = (day: string) => day.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')
