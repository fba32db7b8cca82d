import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { readBackup } from './backup.ts'

const { signal } = new AbortController()

interface Call {
  size?: number
  after?: string
}

/** Answers the first calls with these snapshots, in pieces of one table each. */
async function read(snapshots: string[]) {
  const calls: Call[] = []
  const { backend } = fakeBackend(({ body }) => {
    const call = body as Call
    calls.push(call)
    const piece = (tables: object, next: string | null) => ({
      schema: '20261123101600',
      tables,
      next,
      snapshot: snapshots[calls.length - 1],
    })
    const bikes = ['{"gear_id":9007199254740991}', '{"gear_id":9007199254740992}']
    const rides = ['{"id":1}']
    if (call.size === undefined) return Response.json(piece({ bikes, parts: [], rides }, null))
    if (call.after === undefined) return Response.json(piece({ bikes: bikes.slice(0, 1) }, 'bikes:1'))
    if (call.after === 'bikes:1') return Response.json(piece({ bikes: bikes.slice(1), parts: [] }, 'parts:'))
    return Response.json(piece({ parts: [], rides }, null))
  })
  return { text: (await readBackup(backend.client, signal)).join(''), calls }
}

const whole = `{
"format": "rwgps-maintenance-tracker backup",
"version": 1,
"schema": "20261123101600",
"bikes": [
{"gear_id":9007199254740991},
{"gear_id":9007199254740992}
],
"parts": [
],
"rides": [
{"id":1}
]
}
`

test('reads a backup in pieces, and keeps all digits of the keys', async () => {
  const { text, calls } = await read(['a', 'a', 'a'])
  expect(text).toBe(whole)
  expect(calls).toEqual([{ size: 2000 }, { size: 2000, after: 'bikes:1' }, { size: 2000, after: 'parts:' }])
})

test('starts again if others write in between, and at last reads everything at once', async () => {
  const { text, calls } = await read(['a', 'b', 'c', 'c', 'd', 'e'])
  expect(text).toBe(whole)
  expect(calls.map(({ size, after }) => [size, after])).toEqual([
    [2000, undefined],
    [2000, 'bikes:1'],
    [2000, undefined],
    [2000, 'bikes:1'],
    [2000, 'parts:'],
    [undefined, undefined],
  ])
})
