import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { readUsage } from './usage-api.ts'

const read = (respond: () => Response) => {
  const { backend, sent } = fakeBackend(respond)
  return { sent, usage: readUsage(backend.client, 7, new AbortController().signal) }
}

const totals = { rides: 2, distance: 1609.5, moving_time: 60 }

test('reads the usage of a bike and its items by gear_id', async () => {
  const { sent, usage } = read(() =>
    Response.json({
      gear_id: 7,
      total: totals,
      items: [{ id: 3, ...totals, first_ride: null, last_ride: null }],
      parts: [{ part_id: 5, item_ids: [3, 4], ...totals, rides: 9, cost: 12.5 }],
    }),
  )
  expect((await usage).total).toEqual(totals)
  expect((await usage).byItem.get(3)).toMatchObject(totals)
  expect((await usage).byPart.get(5)).toMatchObject({ ...totals, rides: 9 })
  expect(sent).toEqual([{ method: 'POST', path: '/functions/v1/maintenance-use', body: { gear_id: 7 } }])
})

test('keeps the function’s error code', async () => {
  const { usage } = read(() => Response.json({ code: 'unknown_bike', message: 'No bike 7' }, { status: 404 }))
  await expect(usage).rejects.toMatchObject({ code: 'unknown_bike', status: 404 })
})

test('rejects a proxy’s HTML page', async () => {
  const headers = { 'Content-Type': 'text/html' }
  await expect(read(() => new Response('<h1>Hello</h1>', { headers })).usage).rejects.toMatchObject({
    code: 'internal',
  })
})

test('reports a network error when the function cannot be reached', async () => {
  const { usage } = read(() => {
    throw new TypeError('Failed to fetch')
  })
  await expect(usage).rejects.toMatchObject({ code: 'network' })
})
