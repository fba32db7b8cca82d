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

const html = new Response('<h1>Hello</h1>', { headers: { 'Content-Type': 'text/html' } })

test.each([
  ['the function’s error', Response.json({ code: 'unknown_bike' }, { status: 404 }), 'unknown_bike'],
  ['a proxy’s HTML page', html, 'internal'],
  ['a network error', new TypeError('Failed to fetch'), 'network'],
])('reports %s', async (_what, answer, code) => {
  const { usage } = read(() => {
    if (answer instanceof Error) throw answer
    return answer
  })
  await expect(usage).rejects.toMatchObject({ code })
})
