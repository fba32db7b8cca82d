import { expect, test, vi } from 'vitest'

import { newUuid } from './uuid.ts'

test('creates version 4 UUIDs without https', () => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  const uuids = Array.from({ length: 500 }, newUuid)
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(new Set(uuids)).toHaveLength(500)
})
