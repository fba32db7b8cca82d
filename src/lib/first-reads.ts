// The first reads of a page leave before the application's code has arrived: they are those of the last visit to the same address.
// Only this browser knows them, and they are forgotten with the session.

const KEY = 'first-reads'

/** What is only read, so sending it again changes nothing. */
const READS =
  /\/(?:rest\/v1\/(?:[a-z_]+|rpc\/(?:log_items|stored_parts|time_zone))|functions\/v1\/(?:service-due|garage|ride-years|to-check|maintenance-use|part-lifetimes|spending))$/

/** A response is too old for a screen that comes later, such as after a suspended start. */
const MAX_AGE_MS = 10_000
const MAX_PAGES = 20

type Read = { url: string; method: string; body: string | null; headers: [name: string, value: string][] }

/** What this build read first at each address, the latest address last. */
type Kept = { build: string; pages: [address: string, reads: Read[]][] }

const build = import.meta.url
/** Where the page was opened. */
let address = ''
const sent = new Map<string, Promise<Response>>()
/** Each once, or the second response would lie unread. Null once they are kept. */
let reads: Map<string, Read> | null = new Map()

/** Sends the first reads of this address. `session` is what Auth has stored. */
export function sendFirstReads(session: string | null): void {
  address = location.hash
  if (session === null) return
  const { access_token: token, expires_at: end = 0 } = JSON.parse(session) as {
    access_token?: string
    expires_at?: number
  }
  if (!token || end * 1000 < Date.now() + MAX_AGE_MS) return
  for (const read of kept().pages.find(([one]) => one === address)?.[1] ?? []) {
    const headers = new Headers([...read.headers, ['authorization', `Bearer ${token}`]])
    const response = fetch(read.url, { method: read.method, body: read.body, headers })
    // The application reads it again if it failed.
    response.catch(() => undefined)
    sent.set(keyOf(read, headers), response)
  }
  setTimeout(dropFirstReads, MAX_AGE_MS)
}

/** Drops the responses that nothing has asked for. Call it when what was read may have changed. */
export function dropFirstReads(): void {
  for (const response of sent.values()) {
    // Browsers keep a response open until its body is read.
    response.then(({ body }) => body?.cancel()).catch(() => undefined)
  }
  sent.clear()
}

/** Fetches, or takes the response of the same first read, once. */
export const fetchFirst: typeof fetch = (input, init) => {
  const read = readOf(input, init)
  if (!read) {
    // A write may change what was read.
    if (init?.method !== 'GET') dropFirstReads()
    return fetch(input, init)
  }
  reads?.set(JSON.stringify([read.url, read.method, read.body]), read)
  const key = keyOf(read, new Headers(init?.headers))
  const response = sent.get(key)
  sent.delete(key)
  return response?.catch(() => fetch(input, init)) ?? fetch(input, init)
}

/** Keeps what was read until now for the next visit. Call it once the first screen is complete. */
export function keepFirstReads(): void {
  if (reads === null) return
  const others = kept().pages.filter(([one]) => one !== address)
  const pages = [...others, [address, [...reads.values()]]].slice(-MAX_PAGES)
  reads = null
  try {
    localStorage.setItem(KEY, JSON.stringify({ build, pages }))
  } catch {
    // The browser blocks storage, or it is full.
  }
}

/** Forgets what was read. Call it when the session ends. */
export function forgetFirstReads(): void {
  if (reads) reads = new Map()
  dropFirstReads()
  localStorage.removeItem(KEY)
}

function kept(): Kept {
  const none = { build, pages: [] }
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null
    return stored?.build === build ? stored : none
  } catch {
    return none
  }
}

function readOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Read | null {
  const { method = 'GET', body = null } = init
  const url = new URL(input instanceof Request ? input.url : input)
  const isRead = READS.test(url.pathname) && (method === 'GET' || (method === 'POST' && !isTable(url)))
  if (!isRead || (body !== null && typeof body !== 'string')) return null
  const headers = [...new Headers(init.headers)].filter(([name]) => name !== 'authorization')
  return { url: url.href, method, body, headers }
}

const isTable = ({ pathname }: URL) => /\/rest\/v1\/[a-z_]+$/.test(pathname)

const keyOf = ({ url, method, body }: Read, headers: Headers) =>
  JSON.stringify([url, method, body, headers.get('authorization')])
