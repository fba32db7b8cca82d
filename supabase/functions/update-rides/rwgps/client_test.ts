import assert from 'node:assert/strict'
import { recordLog } from '../../_shared/testing.ts'
import { createRwgps } from './client.ts'
import type { Credentials } from './credentials.ts'
import { createTokenMemory } from './token-memory.ts'
import { CREDENTIALS, fakeTransport, never, trip, user } from './testing.ts'

const TOKEN: Credentials = { apiKey: 'planted-key', authToken: 'planted-old-token', userId: '7' }

async function signIn(
  responses: Parameters<typeof fakeTransport>[0],
  credentials: Credentials = CREDENTIALS,
) {
  const { log, lines } = recordLog()
  const fake = fakeTransport(responses, log)
  const session = await createRwgps('https://example.com', credentials, fake.transport).signIn(never)
  return { session, lines, ...fake }
}

const paramsOf = (url: URL | undefined) => Object.fromEntries(url?.searchParams ?? [])

Deno.test('signs in with email, password and API key, and reads trips with the returned token', async () => {
  const { session, requested } = await signIn([Response.json(user()), Response.json([trip()])])
  assert.ok(session.ok)
  assert.deepEqual([session.value.userId, session.value.homeZone], [7, 'Europe/London'])
  const page = await session.value.tripPage(20, never)
  assert.equal(page.ok && page.value.rows[0]?.id, 4846394)

  assert.equal(requested[0]?.pathname, '/users/current.json')
  assert.deepEqual(paramsOf(requested[0]), {
    email: 'planted@example.com',
    password: 'planted+&pass',
    apikey: 'planted-key',
    version: '2',
  })
  assert.equal(requested[1]?.pathname, '/users/7/trips.json')
  assert.deepEqual(paramsOf(requested[1]), {
    apikey: 'planted-key',
    version: '2',
    auth_token: 'planted-token',
    offset: '20',
    limit: '1000',
  })
  await session.value.tripPage(0, never, 1)
  assert.equal(paramsOf(requested[2]).limit, '1')
})

Deno.test('signs in with a token and reuses it if none is returned', async () => {
  const { session, requested } = await signIn(
    [Response.json(user({ auth_token: null })), Response.json([])],
    TOKEN,
  )
  assert.ok(session.ok)
  await session.value.tripPage(0, never)
  assert.deepEqual(paramsOf(requested[0]), {
    auth_token: 'planted-old-token',
    apikey: 'planted-key',
    version: '2',
  })
  assert.equal(paramsOf(requested[1]).auth_token, 'planted-old-token')
})

Deno.test('rejects a token of another user', async () => {
  const { session } = await signIn([Response.json(user({ id: 8 }))], TOKEN)
  assert.deepEqual(session, { ok: false, code: 'rwgps_unauthorized' })
})

/** Signs in once per response with the same client. Returns each sign-in's result and query, and the announced tokens. */
async function signInAgain(responses: Response[], saved?: string, credentials: Credentials = CREDENTIALS) {
  const { transport, requested } = fakeTransport(responses)
  const announced: unknown[] = []
  const memory = createTokenMemory(saved)
  memory.onChange = (token) => announced.push(token)
  const rwgps = createRwgps('https://example.com', credentials, transport, memory)
  const codes = []
  for (const _ of responses) {
    const session = await rwgps.signIn(never)
    codes.push(session.ok ? 'ok' : session.code)
  }
  const queries = requested.map((url) =>
    'password' in paramsOf(url) ? 'password' : paramsOf(url).auth_token,
  )
  return { codes, queries, announced }
}
const TOKEN_OF_SIGN_IN = { userId: 7, authToken: 'planted-token' }

Deno.test('only the first sign-in sends the password', async () => {
  const { queries, announced } = await signInAgain([Response.json(user()), Response.json(user())])
  assert.deepEqual(queries, ['password', 'planted-token'])
  assert.deepEqual(announced, [TOKEN_OF_SIGN_IN])
})

Deno.test('a sign-in uses the token that an earlier process saved', async () => {
  const saved = JSON.stringify(TOKEN_OF_SIGN_IN)
  assert.deepEqual((await signInAgain([Response.json(user())], saved)).queries, ['planted-token'])
  for (const unreadable of ['', 'null', '{', '{"userId":7}'])
    assert.deepEqual((await signInAgain([Response.json(user())], unreadable)).queries, ['password'])
})

Deno.test('a refused token is forgotten, so the next sign-in sends the password', async () => {
  for (const refusal of [Response.json({}, { status: 401 }), Response.json({ user: null })]) {
    const { codes, queries, announced } = await signInAgain([
      Response.json(user()),
      refusal,
      Response.json(user()),
    ])
    assert.deepEqual(codes, ['ok', 'rwgps_unauthorized', 'ok'])
    assert.deepEqual(queries, ['password', 'planted-token', 'password'])
    assert.deepEqual(announced, [TOKEN_OF_SIGN_IN, null, TOKEN_OF_SIGN_IN])
  }
})

Deno.test('a token that the trip list refuses is forgotten too', async () => {
  const { transport, requested } = fakeTransport([
    Response.json(user()),
    Response.json({}, { status: 401 }),
    Response.json(user()),
  ])
  const rwgps = createRwgps('https://example.com', CREDENTIALS, transport)
  const session = await rwgps.signIn(never)
  assert.ok(session.ok)
  assert.deepEqual(await session.value.tripPage(0, never), { ok: false, code: 'rwgps_unauthorized' })
  await rwgps.signIn(never)
  assert.equal(paramsOf(requested[2]).password, 'planted+&pass')
})

Deno.test('with a configured token, no sign-in ever sends anything else', async () => {
  const refusal = Response.json({}, { status: 401 })
  const { queries, announced } = await signInAgain([Response.json(user()), refusal, refusal], '', TOKEN)
  assert.deepEqual(queries, ['planted-old-token', 'planted-old-token', 'planted-old-token'])
  assert.deepEqual(announced, [])
})

const REFUSED = [{ user: null, labs: {} }, { error: 'Unable to authenticate' }]
const BROKEN = [{ id: null }, { id: '7' }, { auth_token: null }, { auth_token: '' }, { gear: 'none' }]
const MANY_BIKES = { gear: Array.from({ length: 1001 }, (_, id) => ({ id })) }
const INVALID = [{}, [], 'x', null, { user: {} }, { user: 'me' }, ...[...BROKEN, MANY_BIKES].map(user)]

async function codeOf(response: Response) {
  const { session } = await signIn([response])
  return session.ok ? 'ok' : session.code
}

Deno.test('a sign-in that is refused with status 200 is unauthorized, and any other response is invalid', async () => {
  for (const body of REFUSED) assert.equal(await codeOf(Response.json(body)), 'rwgps_unauthorized')
  for (const body of INVALID)
    assert.equal(await codeOf(Response.json(body)), 'rwgps_bad_answer', JSON.stringify(body).slice(0, 50))
  assert.equal(await codeOf(Response.json({}, { status: 404 })), 'rwgps_bad_answer')
})

async function nameOf(name: unknown) {
  const { session } = await signIn([Response.json(user({ name }))])
  return session.ok ? session.value.userName : assert.fail(session.code)
}

Deno.test('returns the name of the account, or null if it has no readable one', async () => {
  assert.equal(await nameOf(' Zoë Rider\0 '), 'Zoë Rider')
  for (const name of [undefined, null, ' ', 7, ['Zoë']]) assert.equal(await nameOf(name), null)
})

async function bikesOf(gear: unknown) {
  const { session } = await signIn([Response.json(user({ gear }))])
  return session.ok ? session.value.bikes : assert.fail(session.code)
}

Deno.test('returns each bike once and leaves out unreadable gear', async () => {
  const gear = [
    { id: 1, nickname: 'Blue', archived: true },
    { id: 'x', nickname: 'Broken' },
    { id: 2, nickname: null, name: 'Nice Bike' },
    { id: 1, nickname: 'Blue again' },
  ]
  assert.deepEqual(await bikesOf(gear), [
    { gear_id: 1, name: 'Blue again', brand: null, model: null, is_retired: false },
    { gear_id: 2, name: 'Nice Bike', brand: null, model: null, is_retired: false },
  ])
})

Deno.test('names a bike by its nickname, else its name, else make and model, else its id', async () => {
  const gear = [
    { nickname: 'Blue', name: 'Nice Bike', make: 'Nice', model: 'Bike' },
    { nickname: '  ', name: 'Nice Bike', make: 'Nicer', model: 'Bike' },
    { name: '', make: 'Nice', model: 'Bike' },
    { make: ' ', model: 'Bike' },
    { make: 'Nice' },
    {},
  ].map((item, index) => Object.assign(item, { id: 3061 + index }))
  const names = (await bikesOf(gear)).map(({ name }) => name)
  assert.deepEqual(names, ['Blue', 'Nice Bike', 'Nice Bike', 'Bike', 'Nice', 'Bike 3066'])
})

Deno.test('a bike has a brand and a model, and is retired if the gear is archived', async () => {
  const gear = [
    { id: 1, nickname: 'Blue', make: ' Trek ', model: 'Domane SL 5', archived: true },
    { id: 2, nickname: 'Red', make: '', archived: 'yes' },
  ]
  assert.deepEqual(await bikesOf(gear), [
    { gear_id: 1, name: 'Blue', brand: 'Trek', model: 'Domane SL 5', is_retired: true },
    { gear_id: 2, name: 'Red', brand: null, model: null, is_retired: false },
  ])
})

Deno.test('a user without gear has no bikes', async () => {
  for (const gear of [[], null, undefined]) assert.deepEqual(await bikesOf(gear), [])
})

const listOf = (rows: number) => `{"results":[${Array(rows).fill('{}').join()}],"results_count":${rows}}`

Deno.test('a list with more rows than requested is a bad answer, however many', async () => {
  const { session } = await signIn([
    Response.json(user()),
    new Response(listOf(1000)),
    new Response(listOf(1001)),
    new Response(`[${Array(3_000_000).fill('{}').join()}]`),
  ])
  assert.ok(session.ok)
  assert.ok((await session.value.tripPage(0, never)).ok)
  for (let list = 0; list < 2; list++) {
    assert.deepEqual(await session.value.tripPage(0, never), { ok: false, code: 'rwgps_bad_answer' })
  }
})
