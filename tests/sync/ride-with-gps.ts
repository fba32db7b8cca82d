import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerBadly, answerWell, type Fault } from './faults.ts'

/** The planted account, with every character that an encoding could spoil or reveal. */
export const PLANTED = {
  apiKey: 'planted-key/7+=&%',
  email: 'planted+rider@example.com',
  password: 'planted "pässword" #%&+?',
  token: 'plantedtoken5f4dcc3b5aa765d61d83',
}
const RIDER = 33854

/** Sign-in by e-mail and password, as the functions are told of it. */
export const SIGN_IN = {
  RWGPS_API_KEY: PLANTED.apiKey,
  RWGPS_EMAIL: PLANTED.email,
  RWGPS_PASSWORD: PLANTED.password,
}
/** Sign-in by token, as the functions are told of it. */
export const SIGN_IN_BY_TOKEN = {
  RWGPS_API_KEY: PLANTED.apiKey,
  RWGPS_AUTH_TOKEN: PLANTED.token,
  RWGPS_USER_ID: `${RIDER}`,
}

export type Call = 'user' | 'trips'

export interface Asked {
  call: Call
  /** Which of its call it is, from 1. */
  number: number
  offset: number
  limit: number
  /** When, on the clock of `performance.now()`. */
  at: number
}

/** What the server plays. Tests set it; `reset` puts it back. */
export interface Play {
  /** The id of the account. */
  rider: number
  trips: unknown[]
  gear: unknown[]
  timeZone: string | null
  /** Rows of a page, whatever limit is asked for. */
  cap: number
  /** The answer to a list request, where it is not the plain one. */
  page?: (asked: Asked, rows: unknown[]) => unknown
  /** Happens before a list request is answered: a ride is uploaded, one is deleted. */
  before?: (asked: Asked) => void
  /** What goes wrong with the first, second, … request of a call; null: nothing. */
  faults: Record<Call, (Fault | null)[]>
  /** What goes wrong with every request of a call after those. */
  always: Partial<Record<Call, Fault>>
  /** Milliseconds until an answer begins. */
  latency: number
}

const freshPlay = (): Play => ({
  rider: RIDER,
  trips: [],
  gear: [],
  timeZone: 'America/Los_Angeles',
  cap: 1000,
  faults: { user: [], trips: [] },
  always: {},
  latency: 0,
})

export interface RideWithGps {
  url: string
  /** Every request, in order. */
  asked: Asked[]
  play: Play
  reset(): void
  close(): Promise<void>
}

/** A Ride with GPS of one account, on loopback, that answers the two legacy calls as well or as badly as it is told. */
export async function startRideWithGps(): Promise<RideWithGps> {
  const asked: Asked[] = []
  const served = { asked, play: freshPlay() }
  const server = createServer(async ({ url }, response) => {
    const { pathname, searchParams } = new URL(url ?? '/', 'http://origin')
    const request = note(asked, pathname, searchParams)
    const { call, number } = request
    if (served.play.latency > 0) await sleep(served.play.latency)

    const refused = refusal(call, pathname, searchParams, served.play)
    const json = refused ? '' : call === 'user' ? currentUser(served.play) : tripList(served.play, request)
    const fault = refused ?? served.play.faults[call][number - 1] ?? served.play.always[call]
    if (fault) await answerBadly(response, fault, json)
    else answerWell(response, json)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(served, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset() {
      asked.length = 0
      served.play = freshPlay()
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
}

function note(asked: Asked[], pathname: string, query: URLSearchParams): Asked {
  const call = pathname === '/users/current.json' ? 'user' : 'trips'
  const request: Asked = {
    call,
    number: asked.filter((before) => before.call === call).length + 1,
    offset: Number(query.get('offset')),
    limit: Number(query.get('limit')),
    at: performance.now(),
  }
  asked.push(request)
  return request
}

function refusal(call: Call, pathname: string, query: URLSearchParams, { rider }: Play): Fault | undefined {
  if (pathname !== '/users/current.json' && pathname !== `/users/${rider}/trips.json`) return { status: 404 }
  const byPassword = query.get('email') === PLANTED.email && query.get('password') === PLANTED.password
  const known = query.get('auth_token') === PLANTED.token || (call === 'user' && byPassword)
  const asked = query.get('apikey') === PLANTED.apiKey && query.get('version') === '2'
  return known && asked ? undefined : { status: 401, body: '{"error":"Unable to authenticate"}' }
}

const currentUser = ({ rider, gear, timeZone }: Play) =>
  JSON.stringify({
    user: { id: rider, auth_token: PLANTED.token, time_zone: timeZone, gear },
    labs: {},
    additional_drawer_items: [],
  })

function tripList(play: Play, asked: Asked): string {
  play.before?.(asked)
  const rows = play.trips.slice(asked.offset, asked.offset + Math.min(asked.limit, play.cap))
  return JSON.stringify(play.page?.(asked, rows) ?? { results: rows, results_count: play.trips.length })
}
