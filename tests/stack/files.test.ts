// Adds, lists and serves files through the tracker, as screens and other software do.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JPEG, PDF, PNG, SECRET, WEBP, withExif } from '../../supabase/functions/_shared/files/testing.ts'
import { Files } from '../../supabase/functions/files/contract.ts'
import { checked } from '../contract.ts'
import { type ApiClient, startApi } from './api-client.ts'

let api: ApiClient
let session: string
let item_id: number
beforeAll(async () => {
  api = await startApi()
  session = (await api.owner.auth.getSession()).data.session!.access_token
})
afterAll(() => api.stop())
beforeEach(async () => {
  const { data } = await api.owner.rpc('run_command', {
    command: 'add_item',
    arguments: { item: { bikeId: (await api.call('/v1/bikes')).body.bikes[0].id, name: 'Bell' } },
  })
  item_id = (data as { answer: { item: { id: number } } }).answer.item.id
})

type Query = Record<string, string | number>

const files = (query: Query, init: RequestInit = {}, token = session) =>
  fetch(`${api.url}/functions/v1/files?${new URLSearchParams(query as never)}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  })

const bodyOf = (...parts: Uint8Array[]) => new Blob(parts as BlobPart[])
const add = (query: Query, ...parts: Uint8Array[]) =>
  files(
    { item_id, name: 'Bell.webp', key: randomUUID(), ...query },
    { method: 'POST', body: bodyOf(...parts) },
  )
const list = async (query: Query = { item_id }) => checked(Files, await (await files(query)).json()).files
const codeOf = async (response: Response) => [response.status, (await response.json()).code]
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

test('adds a picture with its thumbnail once, however often it is sent', async () => {
  const key = randomUUID()
  const query = { key, name: 'Bell é (1).webp', thumbnail: WEBP.length }
  const first = await (await add(query, WEBP, JPEG)).json()
  expect(first).toEqual({ file_id: expect.any(Number), change: key })
  expect(await (await add(query, WEBP, JPEG)).json()).toEqual(first)
  expect(await codeOf(await add(query, WEBP, PNG))).toEqual([409, 'key_reused'])
  const added = {
    id: first.file_id,
    item_id,
    name: 'Bell é (1).webp',
    media_type: 'image/jpeg',
    size: JPEG.length,
    added_at: expect.any(String),
    in_passport: false,
    has_thumbnail: true,
  }
  expect(await list()).toEqual([added])
  expect(await bytesOf(await files({ id: first.file_id }))).toEqual(JPEG)
  expect(await bytesOf(await files({ id: first.file_id, thumbnail: '' }))).toEqual(WEBP)

  const { data } = await api.owner.from('maintenance').select('part_id').eq('id', item_id).single()
  expect(await list({ part_id: data!.part_id })).toEqual([added])
  const { data: log } = await api.owner.rpc('log_items')
  const { items } = log as unknown as { items: { id: number; file_count: number }[] }
  expect(items.find(({ id }) => id === item_id)!.file_count).toBe(1)
})

const headersOf = (response: Response) =>
  [
    'content-type',
    'content-disposition',
    'x-content-type-options',
    'cache-control',
    'content-security-policy',
  ].map((name) => response.headers.get(name))

test('serves a file so that nothing in it can run', async () => {
  const { file_id: picture } = await (await add({ name: 'Bell é (1).webp' }, WEBP)).json()
  const { file_id: pdf } = await (await add({}, PDF)).json()
  const safe = ['nosniff', 'private, no-store', "sandbox; default-src 'none'"]
  const inline = ['image/webp', "inline; filename*=UTF-8''Bell%20%C3%A9%20%281%29.webp", ...safe]
  expect(headersOf(await files({ id: picture }))).toEqual(inline)
  expect(headersOf(await files({ id: picture }, { method: 'HEAD' }))).toEqual(inline)
  const attached = ['application/pdf', "attachment; filename*=UTF-8''Bell.webp", ...safe]
  expect(headersOf(await files({ id: pdf, thumbnail: '' }))).toEqual(attached)
  const token = { headers: { authorization: `Bearer ${api.reader}` } }
  expect(headersOf(await fetch(`${api.url}/functions/v1/api/v1/files/${pdf}`, token))).toEqual(attached)
})

/** Starts a request, and reads the response without sending more than the beginning of the body. */
const startUpload = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; code: string }>((resolve, reject) => {
    const sent = request(`${api.url}/functions/v1/${path}`, { method: 'POST', headers }, (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        resolve({ status: response.statusCode!, code: JSON.parse(text).code })
        sent.destroy()
      })
    })
    sent.on('error', reject)
    sent.write(JPEG)
  })

const LONG = { 'content-length': String(5 * 2 ** 20) }
const asOwner = () => ({ authorization: `Bearer ${session}` })

test('answers before it reads a body that it won’t keep', async () => {
  const path = (query: Query) =>
    `files?${new URLSearchParams({ item_id, name: 'a', key: randomUUID(), ...query } as never)}`
  const attempts: [string, string, Record<string, string>, number, string][] = [
    ['nobody', path({}), LONG, 401, 'unauthorized'],
    ['a stranger', path({}), { ...LONG, authorization: 'Bearer x.y.z' }, 401, 'unauthorized'],
    ['an unknown entry', path({ item_id: 999_999 }), { ...LONG, ...asOwner() }, 404, 'unknown_item'],
    ['no key', path({ key: '' }), { ...LONG, ...asOwner() }, 400, 'invalid_input'],
    ['more than 6 MB', path({}), { 'content-length': '6291457', ...asOwner() }, 413, 'too_large'],
    ['no length', path({}), { 'transfer-encoding': 'chunked', ...asOwner() }, 411, 'length_required'],
    [
      'a token that reads',
      `api/v1/log/${item_id}/files`,
      { ...LONG, authorization: `Bearer ${api.reader}` },
      403,
      'forbidden',
    ],
    ['no token', `api/v1/log/${item_id}/files`, LONG, 401, 'unauthorized'],
    [
      'an entry that no token knows',
      'api/v1/log/999999/files',
      { ...LONG, authorization: `Bearer ${api.writer}` },
      404,
      'unknown_item',
    ],
    [
      'a file of more than 5 MB',
      `api/v1/log/${item_id}/files`,
      { 'content-length': '5242881', authorization: `Bearer ${api.writer}` },
      413,
      'too_large',
    ],
    ['another route', 'garage', LONG, 413, 'too_large'],
    [
      'another route of the API',
      `api/v1/log/${item_id}`,
      { ...LONG, authorization: `Bearer ${api.writer}` },
      413,
      'too_large',
    ],
  ]
  for (const [name, path, headers, status, code] of attempts)
    expect([name, await startUpload(path, headers)]).toEqual([name, { status, code }])
})

const fill = (bytes: Uint8Array, length: number) => [bytes, new Uint8Array(length - bytes.length).fill(65)]

test('keeps files of up to 6 MB, and PDFs of up to 5', async () => {
  const profile = withRoom(JPEG, 6 * 2 ** 20 - WEBP.length)
  const { file_id } = await (await add({ thumbnail: WEBP.length }, WEBP, profile)).json()
  expect((await bytesOf(await files({ id: file_id }))).length).toBe(profile.length)
  expect((await add({}, ...fill(PDF, 5 * 2 ** 20))).status).toBe(200)
  expect(await codeOf(await add({}, ...fill(PDF, 5 * 2 ** 20 + 1)))).toEqual([413, 'too_large'])
})

/** Lengthens the scan of a JPEG. */
function withRoom(jpeg: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length).fill(1)
  whole.set(jpeg.subarray(0, -2))
  whole.set([0xff, 0xd9], length - 2)
  return whole
}

describe('keeps nothing of', () => {
  test.each<[string, Query, Uint8Array[], number, string]>([
    ['a web page', {}, [new TextEncoder().encode('<html>')], 422, 'media_type'],
    [
      'a drawing with scripts',
      {},
      [new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      422,
      'media_type',
    ],
    ['half a picture', {}, [JPEG.subarray(0, 300)], 422, 'media_type'],
    ['nothing', {}, [], 422, 'media_type'],
    ['a thumbnail that is no picture', { thumbnail: PDF.length }, [PDF, JPEG], 422, 'media_type'],
    ['a thumbnail that is the whole body', { thumbnail: WEBP.length }, [WEBP], 422, 'media_type'],
    ['a thumbnail of more than 8 kB', { thumbnail: 8193 }, [WEBP, JPEG], 400, 'invalid_input'],
    ['a blank name', { name: ' ' }, [JPEG], 422, 'invalid_value'],
    ['a long name', { name: 'a'.repeat(201) }, [JPEG], 422, 'invalid_value'],
    ['a name that can’t be stored', { name: 'a\0' }, [JPEG], 422, 'invalid_value'],
    ['another parameter', { other: 1 }, [JPEG], 400, 'invalid_input'],
  ])('%s', async (_, query, parts, status, code) => {
    expect(await codeOf(await add(query, ...parts))).toEqual([status, code])
    expect(await list()).toEqual([])
  })
})

test('an entry has up to twenty files, also if they come at once', async () => {
  for (let index = 0; index < 18; index++) await (await add({}, JPEG)).json()
  const key = randomUUID()
  const last = await (await add({ key }, PNG)).json()
  const outcomes = await Promise.all([1, 2, 3, 4].map(async () => (await add({}, WEBP)).status))
  expect(outcomes.filter((status) => status !== 409)).toEqual([200])
  expect(await list()).toHaveLength(20)
  expect(await codeOf(await add({}, WEBP))).toEqual([409, 'too_many_files'])
  expect(await (await add({ key }, PNG)).json()).toEqual(last)
})

test('other software adds a file without what the camera wrote, and removes it', async () => {
  const send = (key: string, body: Uint8Array) =>
    api.call(`/v1/log/${item_id}/files?name=Receipt.jpg`, {
      method: 'POST',
      body: bodyOf(body),
      headers: { 'idempotency-key': key, 'content-type': 'text/html' },
    })
  const { status, body } = await send('one', withExif(JPEG))
  expect([status, body]).toMatchObject([200, { file_id: expect.any(Number), change: expect.any(String) }])
  expect((await send('one', withExif(JPEG))).body).toEqual(body)
  expect(await send('two', new TextEncoder().encode(SECRET))).toMatchObject({
    status: 422,
    body: { code: 'media_type' },
  })
  const [file] = (await api.call(`/v1/log/${item_id}/files`, {}, api.reader)).body.files
  expect(file).toEqual({
    id: body.file_id,
    name: 'Receipt.jpg',
    media_type: 'image/jpeg',
    size: JPEG.length,
    added_at: expect.any(String),
  })
  const path = `/v1/files/${body.file_id}`
  const given = await fetch(`${api.url}/functions/v1/api${path}`, {
    headers: { authorization: `Bearer ${api.reader}` },
  })
  expect(await bytesOf(given)).toEqual(JPEG)
  expect((await api.call(path, { method: 'DELETE' }, api.reader)).status).toBe(403)
  const removed = await api.call(path, { method: 'DELETE' })
  expect(removed.status).toBe(200)
  expect(await api.call(path, { method: 'DELETE' })).toMatchObject({
    status: 404,
    body: { code: 'unknown_file' },
  })
  expect(await api.call(path)).toMatchObject({ status: 404, body: { code: 'unknown_file' } })
  await api.send('POST', '/v1/undo', { change: removed.body.change })
  expect(await list()).toHaveLength(1)
})
