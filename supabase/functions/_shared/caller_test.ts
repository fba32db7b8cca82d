import assert from 'node:assert/strict'
import { hasScheduleKey, requireOwner } from './caller.ts'
import { post } from './testing.ts'

const auth = {
  isSignedIn: (token: string) => Promise.resolve(token === 'owner' || token === 'guest'),
  isOwner: (token: string) => Promise.resolve(token === 'owner'),
}
const bearing = (authorization?: string) =>
  post(undefined, authorization === undefined ? {} : { Authorization: authorization })

const given = (key: string) => post(undefined, { 'x-schedule-key': key })

Deno.test('the owner is let in by the bearer token, however "Bearer" is written', async () => {
  assert.equal(await requireOwner(bearing('Bearer owner'), auth), 'owner')
  assert.equal(await requireOwner(bearing('bearer owner'), auth), 'owner')
})

Deno.test('somebody else who is signed in is forbidden', async () => {
  await assert.rejects(requireOwner(bearing('Bearer guest'), auth), { code: 'forbidden' })
})

for (const header of [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'owner',
  'Basic owner',
  'Bearer owner owner',
  'Bearer x',
]) {
  Deno.test(`the header ${JSON.stringify(header)} is unauthorized`, async () => {
    await assert.rejects(requireOwner(bearing(header), auth), { code: 'unauthorized' })
  })
}

Deno.test('the schedule key is good if it is the very same', () => {
  assert.equal(hasScheduleKey(given('the key'), 'the key'), true)
  for (const other of ['the keY', 'the key2', 'the ke', ''])
    assert.equal(hasScheduleKey(given(other), 'the key'), false)
  assert.equal(hasScheduleKey(post(), 'the key'), false)
})

Deno.test('without a key of ours no key is good, the empty one least of all', () => {
  for (const ours of [undefined, '']) {
    assert.equal(hasScheduleKey(post(undefined, { 'x-schedule-key': '' }), ours), false)
    assert.equal(hasScheduleKey(post(), ours), false)
  }
})
