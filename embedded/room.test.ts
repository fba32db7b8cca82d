import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi, openDatabase, type Database } from './database.ts'
import { requireRoom } from './room.ts'
import { createSecrets } from './secrets.ts'

const secrets = createSecrets()
let database: Database
beforeAll(async () => {
  database = await openDatabase(secrets)
}, 60_000)
afterAll(() => database.close())

function request(method: string) {
  const headers = { apikey: secrets.secretKey, 'content-type': 'application/json' }
  const body = method === 'POST' ? { body: '{"gear_id":1,"name":"Road"}' } : {}
  return new Request('http://127.0.0.1/rest/v1/bikes?select=name', { method, headers, ...body })
}

test('on a full disk nothing is written, and reading goes on', async () => {
  const full = createApi({ ...database, hasRoom: () => Promise.resolve(false) }, secrets)
  const refused = await full.fetch(request('POST'))
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({
    code: '53100',
    message: 'The disk is full; nothing was saved.',
  })
  const read = await full.fetch(request('GET'))
  expect([read.status, await read.json()]).toEqual([200, []])

  expect((await createApi(database, secrets).fetch(request('POST'))).status).toBe(201)
})

test.runIf(process.platform === 'linux')(
  'a disk without room is said before a database is made',
  async () => {
    // A file system that has no room at all.
    await expect(requireRoom('/proc/tracker')).rejects.toThrow(
      'The disk of /proc/tracker is full: 0 MB are free, and 96 MB are needed; free some,',
    )
  },
)
