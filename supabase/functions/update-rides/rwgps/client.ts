import * as v from 'valibot'
import type { Log } from '../../_shared/log.ts'
import { type Bike, toBike } from './bike.ts'
import type { Credentials } from './credentials.ts'
import { createGet, type Get, type Transport } from './get.ts'
import { failed, ok, type Result } from './result.ts'
import { CurrentUser, Gear, RefusedUser } from './schemas.ts'
import { createTimeZones } from './time-zone.ts'
import { readTripPage, type TripPage } from './trip-page.ts'

/** Ride with GPS, for one account. */
export interface Rwgps {
  /** Signs in; every later call of the session reuses its token. */
  signIn(signal: AbortSignal): Promise<Result<Session>>
}

export interface Session {
  /** The account that signed in. */
  userId: number
  bikes: Bike[]
  /** The rows of the trip list from `offset` on, newest first; past the end a page without rows. */
  tripPage(offset: number, signal: AbortSignal): Promise<Result<TripPage>>
}

// Rows asked for at once; the server may send fewer.
const PAGE_LIMIT = '1000'

/** A client for the two calls that the tracker needs. */
export function createRwgps(baseUrl: string, credentials: Credentials, transport: Transport): Rwgps {
  const get = createGet(baseUrl, transport)
  return {
    async signIn(signal) {
      const user = await fetchUser(get, credentials, signal)
      if (!user.ok) return user
      const { id, token, timeZone, gear } = user.value
      const resolveTimeZone = createTimeZones()
      const homeZone = resolveTimeZone(timeZone)
      return ok({
        userId: id,
        bikes: readBikes(gear),
        async tripPage(offset, signal) {
          const query = { ...version(credentials), auth_token: token, offset: `${offset}`, limit: PAGE_LIMIT }
          const answer = await get(`users/${id}/trips.json`, query, signal)
          if (!answer.ok) return answer
          const page = readTripPage(answer.value, offset, resolveTimeZone, homeZone)
          if (page.ok) logSkipped(page.value, transport.log)
          return page
        },
      })
    },
  }
}

// Enough to find the trips; a page may be full of them.
const MAX_LOGGED_IDS = 20

function logSkipped({ skipped }: TripPage, log: Log): void {
  if (skipped.length === 0) return
  const ids = skipped.flatMap(({ id }) => id ?? [])
  log.error('rows_skipped', {
    rows: skipped.length,
    ids: ids.slice(0, MAX_LOGGED_IDS).join(),
    fields: [...new Set(skipped.map(({ field }) => field))].join(),
  })
}

const version = ({ apiKey }: Credentials) => ({ apikey: apiKey, version: '2' })

async function fetchUser(get: Get, credentials: Credentials, signal: AbortSignal) {
  const proof: Record<string, string> =
    'authToken' in credentials
      ? { auth_token: credentials.authToken }
      : { email: credentials.email, password: credentials.password }
  const answer = await get('users/current.json', { ...proof, ...version(credentials) }, signal)
  if (!answer.ok) return answer
  if (!answer.value.found) return failed('rwgps_bad_answer')
  if (v.is(RefusedUser, answer.value.body)) return failed('rwgps_unauthorized')
  const current = v.safeParse(CurrentUser, answer.value.body)
  if (!current.success) return failed('rwgps_bad_answer')

  const { id, auth_token, time_zone: timeZone, gear } = current.output.user
  // With somebody else's token the trips would be somebody else's too.
  if ('authToken' in credentials && credentials.userId !== `${id}`) return failed('rwgps_unauthorized')
  const token = 'authToken' in credentials ? credentials.authToken : auth_token
  if (!token) return failed('rwgps_bad_answer')
  return ok({ id, token, timeZone, gear })
}

function readBikes(gear: unknown[]): Bike[] {
  const readable = gear.flatMap((item) => {
    const piece = v.safeParse(Gear, item)
    return piece.success ? [toBike(piece.output)] : []
  })
  return [...new Map(readable.map((bike) => [bike.gear_id, bike])).values()]
}
