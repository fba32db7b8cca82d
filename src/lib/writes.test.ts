import { expect, test, vi } from 'vitest'

import { AppError, SavedEarlier } from './errors.ts'
import { failureMessage, newUuid, settleWrite } from './writes.ts'

const lost = () => Promise.reject(new TypeError('Failed to fetch'))

test('does not read back after a response', async () => {
  const readBack = vi.fn<() => Promise<string>>()
  expect(await settleWrite(() => Promise.resolve('written'), readBack)).toBe('written')
  expect(readBack).not.toHaveBeenCalled()
})

test.each([
  ['a lost response', lost],
  ['a gateway timeout', () => Promise.reject(new AppError('network', '', 504))],
  ['a server error', () => Promise.reject(new AppError('internal', '', 500))],
])('reads back the result after %s', async (_what, write) => {
  expect(await settleWrite(write, () => Promise.resolve('written'))).toBe('written')
  await expect(settleWrite(write, () => Promise.resolve(undefined))).rejects.toMatchObject({
    code: expect.stringMatching(/network|internal/) as string,
  })
})

test('does not read back after a refusal', async () => {
  const readBack = vi.fn<() => Promise<string>>()
  await expect(
    settleWrite(() => Promise.reject(new AppError('forbidden', '', 403)), readBack),
  ).rejects.toMatchObject({ code: 'forbidden' })
  expect(readBack).not.toHaveBeenCalled()
})

test('reports an unclear result if reading back fails', async () => {
  await expect(settleWrite(lost, lost)).rejects.toMatchObject({ code: 'unclear' })
})

const found = () => Promise.reject(new SavedEarlier({ name: 'Chain' }))

test('reports that an earlier version was saved', async () => {
  await expect(settleWrite(found, lost)).rejects.toMatchObject({ stored: { name: 'Chain' } })
  await expect(settleWrite(lost, found)).rejects.toMatchObject({ stored: { name: 'Chain' } })
})

test('the failure message of an unclear result doesn’t claim a failure', () => {
  expect(failureMessage('“Chain”', 'deleted', new TypeError('Failed to fetch'))).toBe(
    '“Chain” was not deleted. The tracker cannot be reached. Check your connection and try again.',
  )
  expect(failureMessage('“Chain”', 'added', new AppError('unclear', ''))).toBe(
    '“Chain” may or may not have been added. The connection dropped. Try again; nothing is saved twice.',
  )
})

test('creates version 4 UUIDs without https', () => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  const uuids = Array.from({ length: 500 }, newUuid)
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(new Set(uuids)).toHaveLength(500)
})
