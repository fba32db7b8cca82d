import { expect, test, vi } from 'vitest'

import { AppError, ChangedElsewhere, SavedEarlier } from './errors.ts'
import { madeAt } from '../../supabase/functions/_shared/formats/keys.ts'
import { failureMessage, newUuid, repeatIfLost } from './writes.ts'

const lost = () => Promise.reject(new TypeError('Failed to fetch'))

/** Runs a write whose first attempt is `first`, and counts its attempts. */
async function write(first: () => Promise<string>, second: () => Promise<string> = lost) {
  const attempt = vi.fn<() => Promise<string>>().mockImplementationOnce(first).mockImplementationOnce(second)
  const result = await repeatIfLost(attempt).catch((cause: unknown) => cause)
  return { result, attempts: attempt.mock.calls.length }
}

const written = () => Promise.resolve('written')

test('does not repeat a write after a response', async () => {
  expect(await write(written)).toEqual({ result: 'written', attempts: 1 })
})

test.each([
  ['a lost response', lost],
  ['a gateway timeout', () => Promise.reject(new AppError('network', '', 504))],
  ['a server error', () => Promise.reject(new AppError('internal', '', 500))],
])('repeats a write after %s', async (_what, first) => {
  expect(await write(first, written)).toEqual({ result: 'written', attempts: 2 })
})

test.each([
  ['a refusal', new AppError('forbidden', '', 403)],
  ['an error of the database', new AppError('disk_full', '', 507)],
  ['the answer of a busy backend', new AppError('network', '', 503)],
])('does not repeat a write after %s', async (_what, error) => {
  expect(await write(() => Promise.reject(error))).toEqual({ result: error, attempts: 1 })
})

test('reports an unclear result if the repetition fails', async () => {
  expect((await write(lost)).result).toMatchObject({ code: 'unclear' })
})

test.each([
  ['an earlier version was saved', new SavedEarlier({ name: 'Chain' })],
  ['a value was changed elsewhere', new ChangedElsewhere({ name: 'Chain' })],
])('reports that %s', async (_what, error) => {
  const found = () => Promise.reject(error)
  expect((await write(found)).result).toMatchObject({ stored: { name: 'Chain' } })
  expect((await write(lost, found)).result).toMatchObject({ stored: { name: 'Chain' } })
})

test('the failure message of an unclear result doesn’t claim a failure', () => {
  expect(failureMessage('“Chain”', 'deleted', new TypeError('Failed to fetch'))).toBe(
    '“Chain” was not deleted. The tracker cannot be reached. Check your connection and try again.',
  )
  expect(failureMessage('“Chain”', 'added', new AppError('unclear', ''))).toBe(
    '“Chain” may or may not have been added. The connection dropped. Try again; nothing is saved twice.',
  )
})

test('creates UUIDs that begin with the time, without https', () => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  const uuids = Array.from({ length: 500 }, newUuid)
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(new Set(uuids)).toHaveLength(500)
})

/** Returns the UUID that begins with a time. */
const keyOf = (time: number) => {
  const digits = time.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`
}

test('a key says when its change was made, unless the clock was wrong', () => {
  const now = new Date()
  const hour = 3_600_000
  const days = 86_400_000
  expect(madeAt(newUuid(), new Date(Date.now() + hour)).getTime()).toBeGreaterThanOrEqual(now.getTime())
  expect(madeAt(keyOf(now.getTime() - 5 * days), now)).toEqual(new Date(now.getTime() - 5 * days))
  for (const key of [keyOf(now.getTime() + hour), keyOf(0), 'd2719f1e-4b40-4b5c-9d0b-000000000000'])
    expect(madeAt(key, now)).toBe(now)
})
