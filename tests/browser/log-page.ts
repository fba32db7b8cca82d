import type { Locator, Page } from '@playwright/test'
import type { KindAndPosition } from '../../supabase/functions/_shared/kinds.ts'
import type { OwnerClient } from '../owner.ts'
import { expect, openMainScreen, signInOwner, test as base } from './fixtures.ts'

interface Log {
  owner: OwnerClient
  bikeId: number
  url: string
  add(item: Partial<Item & KindAndPosition> & { name: string }): Promise<number>
  stored(id: number): Promise<Item | null>
}

interface Item {
  type: string | null
  name: string
  description: string | null
  cost: number
  dateStarted: string
  dateEnded: string | null
}

export const COLUMNS = 'type, name, description, cost, dateStarted, dateEnded'

export const test = base.extend<{ log: Log }>({
  /** A bike's empty log. */
  log: async ({ sample }, use) => {
    const owner = await signInOwner(sample.url)
    const { data } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
    const bikeId = data!.gear_id
    await owner.from('maintenance').delete().eq('bikeId', bikeId)
    await use({
      owner,
      bikeId,
      url: `${sample.url}/#bike=${bikeId}`,
      async add(item) {
        const { kind = null, position = null, ...given } = item
        const row = { bikeId, dateStarted: '2024-03-10 01:00:00', cost: 45, ...given }
        const added = await owner.from('maintenance').insert(row).select('id, part_id').single()
        const { id, part_id } = added.data!
        if (kind !== null) await owner.from('parts').update({ kind }).eq('id', part_id)
        if (position !== null) await owner.from('maintenance').update({ position }).eq('id', id)
        return id
      },
      async stored(id) {
        // A test that signs out also ends the session of `owner`.
        const items = (await signInOwner(sample.url)).from('maintenance')
        return (await items.select(COLUMNS).eq('id', id).maybeSingle()).data
      },
    })
  },
})

export { expect }

export const BIKE = 'Warbird'

/** Finds the table's last row or the line below the others. */
export const total = (page: Page) =>
  page
    .getByRole('row', { name: 'Total Cost:' })
    .or(page.getByRole('paragraph').filter({ hasText: 'Total Cost:' }))

export async function openLog(page: Page, url: string) {
  await openMainScreen(page, url)
  await total(page).waitFor()
}

/** Finds an item's row or line, even if its name has been edited. */
export const rowOf = (page: Page, id: number) => page.locator(`[data-item="${id}"]`)

/** Finds the dialog of an entry that was opened from its line. */
export const entryOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

export const field = (row: Locator, name: string) => row.getByRole('textbox', { name, exact: true })

export const save = (row: Locator) => row.getByRole('button', { name: 'SAVE' })

export const dirty = (row: Locator) => row.locator('[data-dirty="true"]')

export const newName = (page: Page) => page.getByPlaceholder('+ Add New Maintenance')

/** Delays matching requests until `release` is called, and collects their bodies. */
export async function delayRequests(page: Page, url: string, method: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const sent: unknown[] = []
  await page.route(url, async (route) => {
    if (route.request().method() === method) {
      sent.push(route.request().postDataJSON())
      await released
    }
    await route.fallback()
  })
  return { sent, release }
}
