import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { readUsage } from './api.ts'

const read = (answer: () => Response) => {
  const { backend, sent } = fakeBackend(answer)
  return { sent, usage: readUsage(backend.client, 7, new AbortController().signal) }
}

const ridden = { rides: 2, distance: 1609.5, moving_time: 60 }

test('the usage of a bike and its items is asked for by gear_id', async () => {
  const { sent, usage } = read(() =>
    Response.json({
      gear_id: 7,
      total: ridden,
      items: [{ id: 3, ...ridden, first_ride: null, last_ride: null }],
    }),
  )
  expect((await usage).total).toEqual(ridden)
  expect((await usage).byItem.get(3)).toMatchObject(ridden)
  expect(sent).toEqual([{ method: 'POST', path: '/functions/v1/maintenance-use', body: { gear_id: 7 } }])
})

test('a refusal keeps the code that the function gave it', async () => {
  const { usage } = read(() => Response.json({ code: 'unknown_bike', message: 'No bike 7' }, { status: 404 }))
  await expect(usage).rejects.toMatchObject({ code: 'unknown_bike', status: 404 })
})

test('an answer of another shape is refused', async () => {
  await expect(read(() => Response.json({ total: 'much' })).usage).rejects.toThrow(/Invalid/)
})

test('a function that cannot be reached is a failure of the network', async () => {
  const { usage } = read(() => {
    throw new TypeError('Failed to fetch')
  })
  await expect(usage).rejects.toMatchObject({ code: 'network' })
})
