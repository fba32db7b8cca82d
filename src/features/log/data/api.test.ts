import { expect, test } from 'vitest'

import { fakeBackend, type Sent } from '../../../lib/fake-backend.ts'
import { readLog } from './api.ts'
import { ITEM } from './fake-item.ts'
import type { Item } from './fields.ts'

const { signal } = new AbortController()

const makeLog = (count: number): Item[] =>
  Array.from({ length: count }, (_, place) => ({
    ...ITEM,
    id: 5000 - place,
    dateStarted: `20${10 + (place % 7)}-01-10T01:00:00`,
  })).toSorted((a, b) => a.dateStarted.localeCompare(b.dateStarted) || a.id - b.id)

/** Fakes a data API that returns up to `limit` items per page. */
function pages(log: Item[], limit: number, onPage: (page: number) => void = () => undefined) {
  let count = 0
  return fakeBackend(({ path }: Sent) => {
    const after = new URL(path, 'http://backend.test').searchParams.get('maintenance.or')
    const [, start = '', id = 0] = /gt\."(.+?)".*id\.gt\.(\d+)/.exec(after ?? '') ?? []
    const rest = log.filter(
      (item) => item.dateStarted > start || (item.dateStarted === start && item.id > Number(id)),
    )
    const body = structuredClone({ gear_id: 7, maintenance: rest.slice(0, limit), latest: log.slice(-1) })
    onPage((count += 1))
    return Response.json(body)
  })
}

test.each([
  [2500, 1000],
  [2000, 1000],
  [450, 100],
  [0, 1000],
])('reads a log of %d items when the data API returns up to %d', async (count, limit) => {
  const log = makeLog(count)
  const { backend } = pages(log, limit)
  expect(await readLog(backend.client, 7, signal)).toEqual(log)
})

test('reads a log that fits into one response in one request, ordered by start and ID', async () => {
  const { backend, sent } = pages(makeLog(1000), 1000)
  expect(await readLog(backend.client, 7, signal)).toHaveLength(1000)
  expect(sent.map(({ path }) => new URLSearchParams(path).get('maintenance.order'))).toEqual([
    'dateStarted.asc,id.asc',
  ])
})

test('reads every item once while items move and disappear', async () => {
  const log = makeLog(250)
  const [moved, deleted] = [log[10]!, log[20]!]
  const last = { ...moved, dateStarted: '2030-01-01T01:00:00' }
  const { backend } = pages(log, 100, (page) => {
    if (page !== 1) return
    log.splice(log.indexOf(deleted), 1)
    log.splice(log.indexOf(moved), 1)
    log.push(last)
  })
  const ids = (await readLog(backend.client, 7, signal)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(log.filter(({ id }) => !ids.includes(id))).toEqual([])
  expect(ids.at(-1)).toBe(moved.id)
})
