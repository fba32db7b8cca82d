import { describe, expect, it } from 'vitest'
import { sampleTrips, sampleUser, type Trip } from './rider.ts'
import { createSampleAccount, SAMPLE_CREDENTIALS } from './server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const account = createSampleAccount({ now: () => NOW })
const trips = sampleTrips(NOW)
const user = sampleUser(NOW)

function get(path: string, query: Record<string, string> = {}, init?: RequestInit): Response {
  const url = new URL(path, 'https://rides.example')
  url.search = new URLSearchParams(query).toString()
  return account.fetch(new Request(url, init))
}

const { apiKey, email, password } = SAMPLE_CREDENTIALS
const login = { email, password, apikey: apiKey, version: '2' }
const REFUSAL = {
  error: 'Unable to authenticate, please provide a valid username/password, auth_token or a session',
}

async function signedIn(): Promise<Record<string, string>> {
  const body = (await get('/users/current.json', login).json()) as { user: { auth_token: string } }
  return { apikey: apiKey, version: '2', auth_token: body.user.auth_token }
}

interface Page {
  results: Trip[]
  results_count: number
}
const list = async (query: Record<string, string>) =>
  (await get(`/users/${user.id}/trips.json`, query).json()) as Page

function find(test: (trip: Trip) => boolean): Trip {
  const trip = trips.find(test)
  if (!trip) throw new Error('trip not found')
  return trip
}

describe('users/current.json', () => {
  it('returns the user, the gear and a token', async () => {
    const body = (await get('/users/current.json', login).json()) as Record<string, unknown>
    expect(body).toEqual({ user: { ...user, auth_token: expect.stringMatching(/^[0-9a-f]{32}$/) } })
  })

  it('accepts the token instead of the password', async () => {
    expect(get('/users/current.json', await signedIn()).status).toBe(200)
  })

  it.each([
    ['a wrong password', { ...login, password: 'guess' }],
    ['a wrong email', { ...login, email: 'other@example.com' }],
    ['a wrong key', { ...login, apikey: 'guess' }],
    ['a wrong token', { apikey: apiKey, version: '2', auth_token: 'guess' }],
    ['nothing', {}],
  ])('rejects %s', async (_, query) => {
    const answer = get('/users/current.json', query)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual(REFUSAL)
  })

  it('rejects a token of other credentials', async () => {
    const other = createSampleAccount({ now: () => NOW, credentials: { apiKey, email, password: 'another' } })
    const query = new URLSearchParams(await signedIn()).toString()
    expect(other.fetch(new Request(`https://rides.example/users/current.json?${query}`)).status).toBe(401)
  })

  it('supports only version 2', () => {
    expect(get('/users/current.json', { ...login, version: '1' }).status).toBe(400)
  })
})

describe('trips.json', () => {
  it('returns 20 rides without a limit', async () => {
    const page = await list(await signedIn())
    expect(page.results).toEqual(trips.slice(0, 20))
    expect(page.results_count).toBe(trips.length)
  })

  it.each([100, 1000, 5000])('returns every ride once in pages of %i', async (limit) => {
    const token = await signedIn()
    const ids: number[] = []
    for (let offset = 0; offset < trips.length; offset += limit) {
      const page = await list({ ...token, offset: String(offset), limit: String(limit) })
      ids.push(...page.results.map((trip) => trip.id))
    }
    expect(ids).toEqual(trips.map((trip) => trip.id))
  })

  it('rejects a wrong or missing token', async () => {
    const token = await signedIn()
    expect(get(`/users/${user.id}/trips.json`, { ...token, auth_token: 'expired' }).status).toBe(401)
    expect(get(`/users/${user.id}/trips.json`, { apikey: apiKey, version: '2' }).status).toBe(401)
  })

  it('has no other users', async () => {
    expect(get('/users/1/trips.json', await signedIn()).status).toBe(404)
  })
})

describe('pages and images', () => {
  it('escapes the name of a trip', async () => {
    const answer = get(`/trips/${find((trip) => trip.name.includes('<b>')).id}`)
    expect(answer.headers.get('content-type')).toContain('text/html')
    const page = await answer.text()
    expect(page).toContain('Where is &lt;b&gt;everybody&lt;/b&gt;?')
    expect(page).not.toContain('<b>')
    expect(page).toContain('Saturday, May 21, 2022 · 39.4 mi')
  })

  it('returns cacheable images, always the same for the same ID', async () => {
    const withMap = find((trip) => trip.first_lat !== null)
    const withPhoto = find((trip) => trip.highlighted_photo_id !== 0)
    for (const path of [
      `/trips/${withMap.id}/thumb.png`,
      `/photos/${withPhoto.highlighted_photo_id}/medium.jpg`,
    ]) {
      const answer = get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('cache-control')).toContain('max-age=')
      const bytes = await answer.bytes()
      expect(new TextDecoder().decode(bytes)).toMatch(/^.PNG/)
      expect(await get(path).bytes()).toEqual(bytes)
    }
  })

  it('refuses the map of a ride without a track', () => {
    expect(get(`/trips/${find((trip) => trip.is_stationary).id}/thumb.png`).status).toBe(403)
    expect(get(`/trips/${find((trip) => trip.is_stationary && trip.is_gps).id}/thumb.png`).status).toBe(403)
    expect(get(`/trips/${find((trip) => trip.duration === null).id}/thumb.png`).status).toBe(403)
  })

  it.each([
    '/',
    '/trips/1',
    '/trips/1/thumb.png',
    '/photos/0/medium.jpg',
    '/photos/7/medium.jpg',
    '/trips/x',
  ])('returns 404 for %s', async (path) => {
    const answer = get(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'Not found' })
  })
})
