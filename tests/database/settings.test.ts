import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type DataApi, openDataApi } from './data-api.ts'
import { headersOf } from './requests.ts'

// Supabase Lite prints every statement that PostgreSQL rejects.
vi.spyOn(console, 'error').mockImplementation(() => undefined)

let api: DataApi
beforeAll(async () => {
  api = await openDataApi()
})
beforeEach(() => api.database.run('delete from public.settings'))
afterAll(() => api.close())

/** Sends the client's upsert. Resolves to the status. */
async function upsert(settings: object, resolution: 'merge-duplicates' | 'ignore-duplicates') {
  const { status } = await api.fetch('/rest/v1/settings?on_conflict=is_the_one', {
    method: 'POST',
    headers: {
      ...headersOf('owner', api),
      'content-type': 'application/json',
      prefer: `resolution=${resolution}`,
    },
    body: JSON.stringify(settings),
  })
  return status
}
const move = (distance: 'mi' | 'km') => upsert({ distance, is_answered: false }, 'ignore-duplicates')
const save = (settings: object) => upsert({ ...settings, is_answered: true }, 'merge-duplicates')
const stored = async () => (await api.database.run('select * from public.settings')).at(-1)!
const DEFAULTS = {
  is_the_one: true,
  distance: 'mi',
  dates: 'MM/DD/YYYY',
  currency: 'USD',
  week_start: 'Sunday',
}

test('of several browsers’ units, the first stay, also when they come at the same time', async () => {
  await Promise.all([move('km'), move('km'), move('km')])
  expect(await stored()).toEqual([{ ...DEFAULTS, distance: 'km', is_answered: false }])
  expect(await move('mi')).toBeLessThan(300)
  expect(await stored()).toEqual([{ ...DEFAULTS, distance: 'km', is_answered: false }])
})

test('saving one setting keeps the others, and units that come later change nothing', async () => {
  expect(await save({ dates: 'DD.MM.YYYY' })).toBeLessThan(300)
  expect(await save({ currency: 'EUR', week_start: 'Monday' })).toBeLessThan(300)
  await move('km')
  const european = {
    ...DEFAULTS,
    dates: 'DD.MM.YYYY',
    currency: 'EUR',
    week_start: 'Monday',
    is_answered: true,
  }
  expect(await stored()).toEqual([european])
  expect(await save({ currency: 'euro' })).toBe(400)
  expect(await save({ is_the_one: false })).toBeGreaterThanOrEqual(400)
  expect(await stored()).toEqual([european])
})
