import type { Log } from '../../_shared/http/log.ts'
import { recordLog } from '../../_shared/testing.ts'
import type { Credentials } from './credentials.ts'
import type { Transport } from './get.ts'

export const CREDENTIALS: Credentials = {
  apiKey: 'planted-key',
  email: 'planted@example.com',
  password: 'planted+&pass',
}

export const never = new AbortController().signal

export function trip(over: object = {}) {
  return {
    id: 4846394,
    name: 'Round the lake',
    gear_id: 2527457,
    created_at: '2026-02-18T04:09:43Z',
    departed_at: '2026-02-17T23:27:00Z',
    updated_at: '2026-02-18T04:10:59Z',
    time_zone: 'America/New_York',
    utc_offset: -18000,
    distance: 46699.4,
    duration: 16844,
    moving_time: 10461,
    max_speed: 42.326,
    avg_speed: 16.0709,
    avg_hr: 136,
    max_hr: 178,
    avg_watts: 209.939,
    max_watts: null,
    avg_cad: null,
    elevation_gain: 686.459,
    highlighted_photo_id: 0,
    is_stationary: false,
    is_gps: true,
    first_lat: 33.8,
    ...over,
  }
}

export function user(over: object = {}) {
  return { user: { id: 7, auth_token: 'planted-token', time_zone: 'London', gear: [], ...over }, labs: {} }
}

type FakeResponse = Response | Error | (() => Response)

export function fakeTransport(responses: FakeResponse[], log: Log = recordLog().log) {
  const requested: URL[] = []
  const waits: number[] = []
  const transport: Transport = {
    fetch(input: string | URL | Request) {
      const response = responses[Math.min(requested.length, responses.length - 1)]
      requested.push(new URL(new Request(input).url))
      if (response instanceof Error || response === undefined) return Promise.reject(response)
      return Promise.resolve(response instanceof Response ? response.clone() : response())
    },
    sleep(ms) {
      waits.push(ms)
      return Promise.resolve()
    },
    random: () => 0,
    now: () => Date.parse('2026-03-01T12:00:00Z'),
    requestTimeout: 1000,
    log,
  }
  return { transport, requested, waits }
}
