import { createHash } from 'node:crypto'
import { forbidden, html, json, notFound, png, unauthorized } from './answers.ts'
import { tripPage } from './page.ts'
import { drawLandscape } from './pictures/landscape.ts'
import { drawMap } from './pictures/map.ts'
import { sampleTrips, sampleUser } from './rider.ts'
import { hasTrack } from './track.ts'
import { RIDER } from './trip.ts'
import type { Trip } from './types.ts'

export interface Credentials {
  apiKey: string
  email: string
  password: string
}

/** What the sample account asks for. No secret: it guards rides that nobody rode. */
export const SAMPLE_CREDENTIALS: Credentials = {
  apiKey: 'sample-api-key',
  email: 'rider@example.com',
  password: 'sample-password',
}

export interface SampleAccount {
  fetch: (request: Request) => Response
}

interface Options {
  now?: () => Date
  credentials?: Credentials
}

/** The legacy calls, pages and pictures of Ride with GPS for one made-up rider. */
export function createSampleAccount({
  now = () => new Date(),
  credentials = SAMPLE_CREDENTIALS,
}: Options = {}): SampleAccount {
  const token = tokenOf(credentials)
  const trips = keepForAMinute(now)

  const currentUser = ({ searchParams: query }: URL) => {
    const byPassword =
      query.get('email') === credentials.email && query.get('password') === credentials.password
    if (!byPassword && query.get('auth_token') !== token) return unauthorized()
    return json({
      user: { ...sampleUser(now(), trips()), auth_token: token },
      labs: { route_planner: true, fit_export: true },
      additional_drawer_items: [],
    })
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

  const called = (url: URL, answer: (url: URL) => Response) => {
    if (url.searchParams.get('apikey') !== credentials.apiKey) return unauthorized()
    // The other versions answer in other shapes, which this account does not play.
    if (url.searchParams.get('version') !== '2')
      return json({ error: 'Only version=2 is answered here' }, 400)
    return answer(url)
  }

  return {
    fetch: (request) => {
      const url = new URL(request.url)
      if (request.method !== 'GET') return notFound()
      if (url.pathname === '/users/current.json') return called(url, currentUser)
      if (url.pathname === `/users/${RIDER}/trips.json`) return called(url, tripList)
      return publicAnswer(url.pathname, trips())
    },
  }
}

function publicAnswer(path: string, trips: Trip[]): Response {
  const [, folder, id = '', file] = /^\/(trips|photos)\/(\d+)(?:\/([^/]+))?$/.exec(path) ?? []
  if (folder === 'photos') {
    const known = Number(id) > 0 && trips.some((trip) => trip.highlighted_photo_id === Number(id))
    return known && file === 'medium.jpg' ? png(drawLandscape(Number(id))) : notFound()
  }
  const trip = trips.find((candidate) => candidate.id === Number(id))
  if (!trip) return notFound()
  if (file === undefined) return html(tripPage(trip))
  if (file !== 'thumb.png') return notFound()
  return hasTrack(trip) ? png(drawMap(trip)) : forbidden()
}

const tokenOf = ({ email, password }: Credentials) =>
  createHash('sha256').update(`${email}\n${password}`).digest('hex').slice(0, 32)

/** A table full of thumbnails asks hundreds of times for the same list. */
function keepForAMinute(now: () => Date): () => Trip[] {
  let kept: { minute: number; trips: Trip[] } | undefined
  return () => {
    const at = now()
    const minute = Math.floor(at.getTime() / 60_000)
    if (kept?.minute !== minute) kept = { minute, trips: sampleTrips(at) }
    return kept.trips
  }
}

/** A count from a query; `otherwise` when it is missing or is none. */
const count = (text: string | null, otherwise: number) =>
  /^\d+$/.test(text ?? '') ? Number(text) : otherwise
