import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { type Gear, readRides } from './api.ts'

/** A data API that holds so many rides and cuts every answer at `cap`. */
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

const begin = ({ backend }: ReturnType<typeof setUp>, gear: Gear = 7) =>
  readRides(backend.client, gear, new AbortController().signal)

const read = async (api: ReturnType<typeof setUp>, gear?: Gear) => (await begin(api, gear).all).rides

test.each([
  [0, 1],
  [1, 1],
  [1000, 1],
  [1001, 2],
  [3500, 4],
])('all of %d rides are read, in %d requests', async (count, requests) => {
  const api = setUp(count)
  expect(new Set((await read(api)).map((ride) => ride.id)).size).toBe(count)
  expect(api.sent).toHaveLength(requests)
})

test('all rides are read also where the server cuts its answers shorter', async () => {
  expect(await read(setUp(1234, 500))).toHaveLength(1234)
})

test('the first page is there, with the number of all rides, before the second is asked for', async () => {
  const api = setUp(2500)
  const { first } = begin(api)
  const { rides, total } = await first
  expect([rides.length, total]).toEqual([1000, 2500])
})

test('only the columns that the screen shows are asked for', async () => {
  const api = setUp(1)
  await read(api)
  const columns = new URLSearchParams(api.sent[0]?.path.split('?')[1]).get('select')?.split(',')
  expect(columns).toContain('name')
  expect(columns).not.toContain('updated_at')
  expect(columns).not.toContain('*')
})

test('a gear, every gear, and rides without known gear are asked for by their own conditions', async () => {
  const api = setUp(0)
  await read(api, 7)
  await read(api, 'all')
  await read(api, { noneOf: [1, 2] })
  const conditions = api.sent.map(({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    return [query.get('gear_id'), query.get('or')]
  })
  expect(conditions).toEqual([
    ['eq.7', null],
    [null, null],
    [null, '(gear_id.is.null,gear_id.not.in.(1,2))'],
  ])
})
