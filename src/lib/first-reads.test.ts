// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'

const TABLE = 'https://project.example/rest/v1/bikes?select=gear_id'
const GARAGE = 'https://project.example/functions/v1/garage'
const WRITE = 'https://project.example/rest/v1/rpc/run_command'

let answered = 0
const send = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>()
vi.stubGlobal('fetch', send)

beforeEach(() => {
  send.mockImplementation(() => Promise.resolve(new Response(String((answered += 1)))))
  localStorage.clear()
  location.hash = ''
  send.mockClear()
})

const session = (token = 'a', expires = Date.now() / 1000 + 3600) =>
  JSON.stringify({ access_token: token, expires_at: expires })

const init = (method = 'GET', token = 'a') => ({
  method,
  ...(method === 'POST' && { body: '{}' }),
  headers: { apikey: 'key', authorization: `Bearer ${token}` },
})

/** Opens the page, as a visit without any module's memory. */
async function open() {
  vi.resetModules()
  const page = await import('./first-reads.ts')
  const get = (url: string, options: RequestInit = init()) =>
    page.fetchFirst(url, options).then((response) => response.text())
  return { ...page, get }
}

/** Visits the page once, which reads and writes. */
async function visit() {
  const page = await open()
  await page.get(TABLE)
  await page.get(GARAGE, init('POST'))
  await page.get(WRITE, init('POST'))
  await page.get(TABLE, init('POST'))
  // Again after the write.
  await page.get(TABLE)
  page.keepFirstReads()
  send.mockClear()
}

const sentUrls = () => send.mock.calls.map(([url]) => url)

test('the next visit sends only the reads, with its own token, and each is answered once without another request', async () => {
  await visit()
  const page = await open()
  page.sendFirstReads(session('b'))
  expect(sentUrls()).toEqual([TABLE, GARAGE])
  const headers = send.mock.calls.map(([, options]) => new Headers(options?.headers))
  expect(headers.map((one) => [one.get('authorization'), one.get('apikey')])).toEqual([
    ['Bearer b', 'key'],
    ['Bearer b', 'key'],
  ])
  const first = await page.get(TABLE, init('GET', 'b'))
  await page.get(GARAGE, init('POST', 'b'))
  expect(send).toHaveBeenCalledTimes(2)
  expect(await page.get(TABLE, init('GET', 'b'))).not.toBe(first)
  expect(send).toHaveBeenCalledTimes(3)
  expect(localStorage.getItem('first-reads')).not.toMatch(/Bearer/)
})

test.each<[string, (page: Awaited<ReturnType<typeof open>>) => unknown]>([
  ['another session', () => undefined],
  ['a write', (page) => page.get(WRITE, init('POST', 'b'))],
  ['another tab’s write', (page) => page.dropFirstReads()],
  ['the end of the session', (page) => page.forgetFirstReads()],
])('a response is not used after %s', async (what, act) => {
  await visit()
  const page = await open()
  page.sendFirstReads(session('b'))
  send.mockClear()
  await act(page)
  send.mockClear()
  await page.get(TABLE, init('GET', what === 'another session' ? 'c' : 'b'))
  expect(sentUrls()).toEqual([TABLE])
})

test('a failed request is repeated', async () => {
  await visit()
  const page = await open()
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  page.sendFirstReads(session())
  expect(await page.get(TABLE)).toBe(String(answered))
  expect(sentUrls()).toEqual([TABLE, GARAGE, TABLE])
})

test.each<[string, () => void]>([
  ['the session has expired', () => undefined],
  ['the session has ended', () => localStorage.removeItem('first-reads')],
  ['another page is opened', () => (location.hash = '#settings')],
  [
    'another version was loaded',
    () =>
      localStorage.setItem(
        'first-reads',
        localStorage.getItem('first-reads')!.replace('first-reads', 'older'),
      ),
  ],
  ['what was kept is broken', () => localStorage.setItem('first-reads', '{')],
])('nothing is sent early if %s', async (what, prepare) => {
  await visit()
  prepare()
  const page = await open()
  page.sendFirstReads(what.includes('expired') ? session('a', Date.now() / 1000) : session())
  expect(send).not.toHaveBeenCalled()
})
