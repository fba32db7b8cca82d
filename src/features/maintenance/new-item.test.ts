import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { ITEM, setUpLog } from './fake-log.ts'
import type { Field } from './fields.ts'
import { hasNewDraftAtom, insertAtom, typeNewAtom } from './new-item.ts'

vi.mock('../../components/toasts.tsx', () => ({ notifyFailure: () => undefined }))

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2024, 5, 30, 23, 30) })
})
afterEach(() => vi.useRealTimers())

function setUp(...given: Parameters<typeof setUpLog>) {
  const log = setUpLog(...given)
  return {
    ...log,
    type: (field: Field, text: string) => log.store.set(typeNewAtom, 7, field, text),
    insert: () => log.store.set(insertAtom, 7),
    hasDraft: () => log.store.get(hasNewDraftAtom(7)),
  }
}

test('a name alone is enough: it starts on the owner’s own day', async () => {
  const { type, insert, writes, hasDraft } = setUp()
  type('name', '  New chain ')
  expect(await insert()).toBe('inserted')
  expect(writes().map(({ body }) => body)).toEqual([
    { bikeId: 7, dateStarted: '2024-06-30 01:00:00', name: 'New chain' },
  ])
  expect(hasDraft()).toBe(false)
})

test('every field that was filled goes along', async () => {
  const { type, insert, writes } = setUp()
  type('type', 'Drivetrain')
  type('name', 'Chain')
  type('description', 'gold')
  type('cost', '45.99')
  type('dateStarted', '1/2/2024')
  type('dateEnded', '2/3/2024')
  await insert()
  expect(writes()[0]?.body).toEqual({
    bikeId: 7,
    type: 'Drivetrain',
    name: 'Chain',
    description: 'gold',
    cost: 45,
    dateStarted: '2024-01-02 01:00:00',
    dateEnded: '2024-02-03 01:00:00',
  })
})

test.each(['', '   '])('without a name (%j) nothing is sent', async (name) => {
  const { type, insert, writes, hasDraft } = setUp()
  type('name', name)
  type('cost', '45')
  expect(await insert()).toBe('nameless')
  expect(writes()).toEqual([])
  expect(hasDraft()).toBe(true)
})

test.each([
  ['dateEnded', '06/29/2024'],
  ['dateStarted', '02/30/2024'],
  ['cost', '99999999'],
] as const)('with %s as %s nothing is sent', async (field, text) => {
  const { type, insert, writes } = setUp()
  type('name', 'Chain')
  type(field, text)
  expect(await insert()).toBe('invalid')
  expect(writes()).toEqual([])
})

test('a double press inserts once', async () => {
  const { type, insert, writes } = setUp()
  type('name', 'Chain')
  expect(await Promise.all([insert(), insert()])).toEqual(['inserted', 'busy'])
  expect(writes()).toHaveLength(1)
})

test('an insert that fails keeps what was typed', async () => {
  const { type, insert, hasDraft } = setUp([ITEM], ({ method, path }) =>
    method === 'POST' && path.startsWith('/rest/') ? new Response('{}', { status: 500 }) : undefined,
  )
  type('name', 'Chain')
  expect(await insert()).toBe('failed')
  expect(hasDraft()).toBe(true)
})
