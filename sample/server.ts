import { once } from 'node:events'
import { getRequestListener } from '@hono/node-server'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { METERS_PER_MILE } from '../supabase/functions/_shared/formats/units.ts'
import { sampleTrips, sampleUser, type Trip } from './rider.ts'

export interface Credentials {
  apiKey: string
  email: string
  password: string
}

/** The sample account's credentials. They aren't secret, since they only protect made-up rides. */
export const SAMPLE_CREDENTIALS: Credentials = {
  apiKey: 'sample-api-key',
  email: 'rider@example.com',
  password: 'sample-password',
}

interface SampleAccount {
  fetch: (request: Request) => Response
}

interface Options {
  now?: () => Date
  credentials?: Credentials
}

/** Serves a made-up rider's Ride with GPS API, pages and images. */
export function createSampleAccount({
  now = () => new Date(),
  credentials = SAMPLE_CREDENTIALS,
}: Options = {}): SampleAccount {
  const token = tokenOf(credentials)
  const trips = cacheForAMinute(now)
  const { id } = sampleUser(now())

  const currentUser = ({ searchParams: query }: URL) => {
    const byPassword =
      query.get('email') === credentials.email && query.get('password') === credentials.password
    if (!byPassword && query.get('auth_token') !== token) return unauthorized()
    return json({ user: { ...sampleUser(now()), auth_token: token } })
  }

  const tripList = ({ searchParams: query }: URL) => {
    if (query.get('auth_token') !== token) return unauthorized()
    const offset = count(query.get('offset'), 0)
    const rows = trips()
    return json({
      results: rows.slice(offset, offset + count(query.get('limit'), 20)),
      results_count: rows.length,
    })
  }

  const apiCall = (url: URL, respond: (url: URL) => Response) => {
    if (url.searchParams.get('apikey') !== credentials.apiKey) return unauthorized()
    // The sample only implements this version's response formats.
    if (url.searchParams.get('version') !== '2') return json({ error: 'Only version=2 is supported' }, 400)
    return respond(url)
  }

  return {
    fetch: (request) => {
      const url = new URL(request.url)
      if (request.method !== 'GET') return notFound()
      if (url.pathname === '/users/current.json') return apiCall(url, currentUser)
      if (url.pathname === `/users/${id}/trips.json`) return apiCall(url, tripList)
      return publicResponse(url.pathname, trips())
    },
  }
}

const image = (name: string) => readFileSync(new URL(`images/${name}.png`, import.meta.url))
const MAPS = [1, 2, 3, 4].map((number) => image(`map-${number}`))
const PHOTOS = [1, 2, 3].map((number) => image(`photo-${number}`))

/** Serves trip pages, maps and photos, which don't need credentials. */
function publicResponse(path: string, trips: Trip[]): Response {
  const [, folder, digits = '', file] = /^\/(trips|photos)\/(\d+)(?:\/([^/]+))?$/.exec(path) ?? []
  const id = Number(digits)
  if (folder === 'photos') {
    const exists = id > 0 && trips.some((trip) => trip.highlighted_photo_id === id)
    return exists && file === 'medium.jpg' ? png(PHOTOS, id) : notFound()
  }
  const trip = trips.find((candidate) => candidate.id === id)
  if (!trip) return notFound()
  if (file === undefined) return html(tripPage(trip))
  if (file !== 'thumb.png') return notFound()
  return trip.first_lat === null ? json({ error: 'Forbidden' }, 403) : png(MAPS, id)
}

const tokenOf = ({ email, password }: Credentials) =>
  createHash('sha256').update(`${email}\n${password}`).digest('hex').slice(0, 32)

// Every thumbnail in a ride table needs the trip list.
function cacheForAMinute(now: () => Date): () => Trip[] {
  let cached: { minute: number; trips: Trip[] } | undefined
  return () => {
    const time = now()
    const minute = Math.floor(time.getTime() / 60_000)
    if (cached?.minute !== minute) cached = { minute, trips: sampleTrips(time) }
    return cached.trips
  }
}

const count = (text: string | null, otherwise: number) =>
  /^\d+$/.test(text ?? '') ? Number(text) : otherwise

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'max-age=0, private' },
  })

const notFound = (): Response => json({ error: 'Not found' }, 404)

const unauthorized = (): Response =>
  json(
    { error: 'Unable to authenticate, please provide a valid username/password, auth_token or a session' },
    401,
  )

const png = (images: Buffer<ArrayBuffer>[], id: number): Response =>
  new Response(images[id % images.length], {
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400, immutable' },
  })

const html = (page: string): Response =>
  new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
    },
  })

export const tripPage = (trip: Trip): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark">
<title>${escapeHtml(trip.name)}</title>
<style>
body { margin: 3rem auto; max-width: 40rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
</style>
<h1>${escapeHtml(trip.name)}</h1>
<p>${dateOf(trip)} · ${(trip.distance / METERS_PER_MILE).toFixed(1)} mi</p>
<p>${escapeHtml(trip.description ?? '')}</p>
${trip.first_lat === null ? '' : `<img src="/trips/${trip.id}/thumb.png" alt="Map" width="360" height="360">`}
<p><small>A ride of the sample account. Nobody rode it.</small></p>
</html>
`

function dateOf({ departed_at, utc_offset }: Trip): string {
  // Standard time is close enough for a date.
  const local = new Date(Date.parse(departed_at) + utc_offset * 1000)
  return local.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })
}

/** Escapes text content, but not attribute values. */
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Serves `fetch`, by default a sample account, over HTTP. `close` also ends open connections. */
export async function startSampleServer({
  fetch = createSampleAccount().fetch,
}: { fetch?: (request: Request) => Promise<Response> | Response } = {}): Promise<{
  url: string
  close(): Promise<void>
}> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void listener(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
