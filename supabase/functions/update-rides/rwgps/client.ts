import * as v from 'valibot'
import type { TablesInsert } from '../../../database.types.ts'
import type { Credentials } from './credentials.ts'
import { DIGEST_ROWS } from './digest.ts'
import { createGet, type Get, type Transport } from './get.ts'
import { failed, ok, type Result } from './result.ts'
import { CurrentUser, Gear, RejectedUser } from './schemas.ts'
import { createTimeZones } from './time-zone.ts'
import { createTokenMemory, type Token, type TokenMemory } from './token-memory.ts'
import { readTripPage, type TripPage } from './trip-page.ts'

export type Bike = TablesInsert<'bikes'>

export interface Rwgps {
  /** The session reuses the token for all further calls. */
  signIn(signal: AbortSignal): Promise<Result<Session>>
  /** Continues with the known token, without a request. Null if there is no token. */
  resume(): ResumedSession | null
}

export interface ResumedSession {
  userId: number
  /** Reads the first rows of the trip list in one request without retries. */
  newestTrips(signal: AbortSignal): Promise<Result<TripPage>>
}

export interface Session {
  userId: number
  userName: string | null
  bikes: Bike[]
  /** The time zone for trips without one. Undefined: UTC. */
  homeZone: string | undefined
  /** Reads the trip list from `offset` on, newest first. Past the end, the page is empty. */
  tripPage(offset: number, signal: AbortSignal, limit?: number): Promise<Result<TripPage>>
}

// The server may send fewer rows.
const PAGE_LIMIT = 1000

const MAX_GEAR = 1000

/** Checks a list before it is parsed, because parsing millions of rows needs gigabytes. */
const isTooLong = (list: unknown, limit: number) => Array.isArray(list) && list.length > limit

/**
 * Creates a client for the account of these credentials. Only the first sign-in sends the password; later sign-ins use the
 * token that it returned. If Ride with GPS refuses that token, the call fails and the next sign-in sends the password again.
 */
export function createRwgps(
  baseUrl: string,
  credentials: Credentials,
  transport: Transport,
  memory: TokenMemory = createTokenMemory(),
): Rwgps {
  const get = createGet(baseUrl, transport)
  const getOnce = createGet(baseUrl, transport, false)
  const configured = configuredToken(credentials)
  const tokens = configured ? { read: () => configured, write: () => undefined } : memory
  const resolveTimeZone = createTimeZones()
  const forgetIfRefused = <T>(result: Result<T>): Result<T> => {
    if (!result.ok && result.code === 'rwgps_unauthorized') tokens.write(null)
    return result
  }
  const tripPage = async (
    send: Get,
    { userId, authToken }: Token,
    page: { offset: number; limit: number },
    signal: AbortSignal,
  ) => {
    const range = { offset: `${page.offset}`, limit: `${page.limit}` }
    const query = { ...version(credentials), auth_token: authToken, ...range }
    const response = forgetIfRefused(await send(`users/${userId}/trips.json`, query, signal))
    if (!response.ok) return response
    const { body } = { body: undefined, ...response.value }
    if (isTooLong(Array.isArray(body) ? body : Object(body).results, page.limit))
      return failed('rwgps_bad_answer')
    return readTripPage(response.value, page.offset, resolveTimeZone)
  }
  return {
    async signIn(signal) {
      const user = forgetIfRefused(await fetchUser(get, credentials, tokens.read(), signal))
      if (!user.ok) return user
      const { token, name, timeZone, gear } = user.value
      tokens.write(token)
      return ok({
        userId: token.userId,
        userName: name,
        bikes: readBikes(gear),
        homeZone: resolveTimeZone(timeZone ?? undefined),
        tripPage: (offset, pageSignal, limit = PAGE_LIMIT) =>
          tripPage(get, token, { offset, limit }, pageSignal),
      })
    },
    resume() {
      const token = tokens.read()
      return (
        token && {
          userId: token.userId,
          newestTrips: (signal) => tripPage(getOnce, token, { offset: 0, limit: DIGEST_ROWS }, signal),
        }
      )
    },
  }
}

const configuredToken = (credentials: Credentials): Token | null =>
  'authToken' in credentials ? { userId: Number(credentials.userId), authToken: credentials.authToken } : null

const passwordOf = (credentials: Credentials) =>
  'password' in credentials ? { email: credentials.email, password: credentials.password } : {}

const version = ({ apiKey }: Credentials) => ({ apikey: apiKey, version: '2' })

interface User {
  token: Token
  name: string | null
  timeZone: string | null
  gear: unknown[]
}

async function fetchUser(
  get: Get,
  credentials: Credentials,
  known: Token | null,
  signal: AbortSignal,
): Promise<Result<User>> {
  const signIn: Record<string, string> = known ? { auth_token: known.authToken } : passwordOf(credentials)
  const response = await get('users/current.json', { ...signIn, ...version(credentials) }, signal)
  if (!response.ok) return response
  if (!response.value.found) return failed('rwgps_bad_answer')
  if (v.is(RejectedUser, response.value.body)) return failed('rwgps_unauthorized')
  if (isTooLong(Object(Object(response.value.body).user).gear, MAX_GEAR)) return failed('rwgps_bad_answer')
  const current = v.safeParse(CurrentUser, response.value.body)
  if (!current.success) return failed('rwgps_bad_answer')

  const { id, auth_token, name, time_zone: timeZone, gear } = current.output.user
  // Another user's token would return that user's trips.
  if ('authToken' in credentials && credentials.userId !== `${id}`) return failed('rwgps_unauthorized')
  const authToken = known?.authToken ?? auth_token
  if (!authToken) return failed('rwgps_bad_answer')
  return ok({ token: { userId: id, authToken }, name, timeZone, gear })
}

function readBikes(gear: unknown[]): Bike[] {
  const readable = gear.flatMap((item) => {
    const piece = v.safeParse(Gear, item)
    return piece.success ? [toBike(piece.output)] : []
  })
  return [...new Map(readable.map((bike) => [bike.gear_id, bike])).values()]
}

function toBike({ id, nickname, name, make, model, archived }: Gear): Bike {
  const makeAndModel = [make, model].filter(Boolean).join(' ')
  return {
    gear_id: id,
    name: nickname || name || makeAndModel || `Bike ${id}`,
    brand: make,
    model,
    is_retired: archived ?? false,
  }
}
