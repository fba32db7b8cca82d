import assert from 'node:assert/strict'
import { bearerToken, hasKey, requireOwner } from './caller.ts'
import { post } from '../testing.ts'

const auth = {
  isSignedIn: (token: string) => Promise.resolve(token === 'owner' || token === 'guest'),
  isOwner: (token: string) => Promise.resolve(token === 'owner'),
}
const withAuthorization = (value?: string) =>
  post(undefined, value === undefined ? {} : { Authorization: value })
const withScheduleKey = (key: string) => post(undefined, { 'x-schedule-key': key })

Deno.test('reads the bearer token, ignoring the case of "Bearer"', () => {
  assert.equal(bearerToken(withAuthorization('Bearer owner')), 'owner')
  assert.equal(bearerToken(withAuthorization('bearer owner')), 'owner')
})

for (const header of [undefined, '', 'Bearer', 'Bearer ', 'owner', 'Basic owner', 'Bearer owner owner']) {
  Deno.test(`the header ${JSON.stringify(header)} is unauthorized`, () => {
    assert.throws(() => bearerToken(withAuthorization(header)), { code: 'unauthorized' })
  })
}

Deno.test('accepts only the owner', async () => {
  await requireOwner('owner', auth)
  await assert.rejects(requireOwner('x', auth), { code: 'unauthorized' })
  await assert.rejects(requireOwner('guest', auth), { code: 'forbidden' })
})

Deno.test('accepts only the exact schedule key', async () => {
  assert.equal(await hasKey(withScheduleKey('the key'), 'x-schedule-key', 'the key'), true)
  for (const other of ['the keY', 'the key2', 'the ke', ''])
    assert.equal(await hasKey(withScheduleKey(other), 'x-schedule-key', 'the key'), false)
  assert.equal(await hasKey(post(), 'x-schedule-key', 'the key'), false)
})

Deno.test('rejects every schedule key, even an empty one, if none is configured', async () => {
  for (const configured of [undefined, '']) {
    assert.equal(await hasKey(withScheduleKey(''), 'x-schedule-key', configured), false)
    assert.equal(await hasKey(post(), 'x-schedule-key', configured), false)
  }
})
