import { createServer } from 'node:http'
import { sendFault, sendJson, type Fault } from './faults.ts'
import { listen } from './listen.ts'

/** The fake account. Its secrets contain every character that needs encoding somewhere. */
export const PLANTED = {
  apiKey: 'planted-key/7+=&%',
  email: 'planted+rider@example.com',
  password: 'planted "pässword" #%&+?',
  token: 'plantedtoken5f4dcc3b5aa765d61d83',
}
const RIDER = 33854

export const SIGN_IN = {
  RWGPS_API_KEY: PLANTED.apiKey,
  RWGPS_EMAIL: PLANTED.email,
  RWGPS_PASSWORD: PLANTED.password,
}
export const SIGN_IN_BY_TOKEN = {
  RWGPS_API_KEY: PLANTED.apiKey,
  RWGPS_AUTH_TOKEN: PLANTED.token,
  RWGPS_USER_ID: `${RIDER}`,
}

export type Call = 'user' | 'trips'

export interface RideWithGpsRequest {
  call: Call
  /** The request's number among requests for the same call, starting at 1. */
  number: number
  offset: number
  limit: number
  by: 'password' | 'token'
  /** From `performance.now()`. */
  at: number
}

/** The server's behavior, which tests change and `reset` restores. */
export interface Behavior {
  /** The account's user id. */
  rider: number
  name: unknown
  trips: unknown[]
  gear: unknown[]
  timeZone: string | null
  /** The maximum number of rows per page, regardless of the request's limit. */
  cap: number
  /** Replaces the response to a list request. */
  page?: (request: RideWithGpsRequest, rows: unknown[]) => unknown
  /** Runs before each response to a list request, for example to upload or delete a ride. */
  before?: (request: RideWithGpsRequest) => void
  /** The faults for a call's first, second, … request. Null means no fault. */
  faults: Record<Call, (Fault | null)[]>
  /** The fault for all of a call's later requests. */
  always: Partial<Record<Call, Fault>>
  /** Delays each response. */
  hold?: (request: RideWithGpsRequest) => Promise<unknown> | undefined
}

const defaultBehavior = (): Behavior => ({
  rider: RIDER,
  name: 'Test Rider',
  trips: [],
  gear: [],
  timeZone: 'America/Los_Angeles',
  cap: 1000,
  faults: { user: [], trips: [] },
  always: {},
})

export interface RideWithGps {
  url: string
  requests: RideWithGpsRequest[]
  sentBytes: number
  behavior: Behavior
  reset(): void
  close(): Promise<void>
}

/** Fakes Ride with GPS's legacy API for one account, with the faults that a test sets. */
export async function startRideWithGps(): Promise<RideWithGps> {
  const requests: RideWithGpsRequest[] = []
  const served = { requests, sentBytes: 0, behavior: defaultBehavior() }
  const server = createServer(async ({ url }, response) => {
    const { pathname, searchParams } = new URL(url ?? '/', 'http://origin')
    const request = record(requests, pathname, searchParams)
    const { call, number } = request
    await served.behavior.hold?.(request)

    const rejection = rejectionOf(call, pathname, searchParams, served.behavior)
    const json = rejection
      ? ''
      : call === 'user'
        ? currentUser(served.behavior)
        : tripList(served.behavior, request)
    const fault = rejection ?? served.behavior.faults[call][number - 1] ?? served.behavior.always[call]
    if (fault) await sendFault(response, fault, json)
    else {
      served.sentBytes += Buffer.byteLength(json)
      sendJson(response, json)
    }
  })
  return Object.assign(served, await listen(server), {
    reset() {
      requests.length = 0
      served.behavior = defaultBehavior()
    },
  })
}

function record(
  requests: RideWithGpsRequest[],
  pathname: string,
  query: URLSearchParams,
): RideWithGpsRequest {
  const call = pathname === '/users/current.json' ? 'user' : 'trips'
  const request: RideWithGpsRequest = {
    call,
    number: requests.filter((before) => before.call === call).length + 1,
    offset: Number(query.get('offset')),
    limit: Number(query.get('limit')),
    by: query.has('password') ? 'password' : 'token',
    at: performance.now(),
  }
  requests.push(request)
  return request
}

function rejectionOf(
  call: Call,
  pathname: string,
  query: URLSearchParams,
  { rider }: Behavior,
): Fault | undefined {
  if (pathname !== '/users/current.json' && pathname !== `/users/${rider}/trips.json`) return { status: 404 }
  const byPassword = query.get('email') === PLANTED.email && query.get('password') === PLANTED.password
  const hasCredentials = query.get('auth_token') === PLANTED.token || (call === 'user' && byPassword)
  const hasKey = query.get('apikey') === PLANTED.apiKey && query.get('version') === '2'
  return hasCredentials && hasKey ? undefined : { status: 401, body: '{"error":"Unable to authenticate"}' }
}

const currentUser = ({ rider, name, gear, timeZone }: Behavior) =>
  JSON.stringify({
    user: { id: rider, name, auth_token: PLANTED.token, time_zone: timeZone, gear },
    labs: {},
    additional_drawer_items: [],
  })

function tripList(behavior: Behavior, request: RideWithGpsRequest): string {
  behavior.before?.(request)
  const rows = behavior.trips.slice(request.offset, request.offset + Math.min(request.limit, behavior.cap))
  return JSON.stringify(
    behavior.page?.(request, rows) ?? { results: rows, results_count: behavior.trips.length },
  )
}
