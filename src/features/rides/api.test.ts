import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { type Gear, readRides } from './api.ts'

/** Fakes a data API with `count` rides that returns at most `cap` rides per response. */
function setUp(count: number, cap = 1000) {
  return fakeBackend(({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const start = Number(query.get('offset') ?? 0)
    const size = Math.min(cap, Number(query.get('limit')), Math.max(0, count - start))
    const rides = Array.from({ length: size }, (_, i) => ({ id: start + i }))
    const range = size > 0 ? `${start}-${start + size - 1}/${count}` : `*/${count}`
    return Response.json(rides, { headers: { 'content-range': range } })
  })
}

const start = ({ backend }: ReturnType<typeof setUp>, gear: Gear = [7]) =>
  readRides(backend.client, gear, new AbortController().signal)

const read = async (api: ReturnType<typeof setUp>, gear?: Gear) => (await start(api, gear).all).rides

test.each([
  [0, 1, 1000],
  [1, 1, 1000],
  [1000, 1, 1000],
  [1001, 2, 1000],
  [3500, 4, 1000],
  [1234, 3, 500],
])('reads all of %d rides in %d requests if the server returns at most %d', async (count, requests, cap) => {
  const api = setUp(count, cap)
  expect(new Set((await read(api)).map((ride) => ride.id)).size).toBe(count)
  expect(api.sent).toHaveLength(requests)
})

test('the first page includes the total number of rides', async () => {
  const { rides, total } = await start(setUp(2500)).first
  expect([rides.length, total]).toEqual([1000, 2500])
})

test('requests only the columns on the screen', async () => {
  const api = setUp(1)
  await read(api)
  const columns = new URLSearchParams(api.sent[0]?.path.split('?')[1]).get('select')?.split(',')
  expect(columns).toContain('name')
  expect(columns).not.toContain('updated_at')
  expect(columns).not.toContain('*')
})

test('filters by one gear, all gears or unknown gear', async () => {
  const api = setUp(0)
  await read(api, [7, 3])
  await read(api, 'all')
  await read(api, { noneOf: [1, 2] })
  const conditions = api.sent.map(({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    return [query.get('gear_id'), query.get('or')]
  })
  expect(conditions).toEqual([
    ['in.(7,3)', null],
    [null, null],
    [null, '(gear_id.is.null,gear_id.not.in.(1,2))'],
  ])
})
