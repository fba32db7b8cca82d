// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { type Command, GATE } from '../../lib/fake-backend.ts'
import { cellKey } from './cell.ts'
import { draftAtom } from './drafts.ts'
import { ITEM } from './fake-item.ts'
import { setUpLog } from './fake-log.ts'
import type { Field } from './fields.ts'
import { hasFormDraft, typeFormAtom } from './entry-form.ts'
import { insertAtom } from './new-item.ts'

const toasts = recordToasts()

const FORM = { bikeId: 7 }

const key = expect.stringMatching(/^[\da-f-]{36}$/) as string

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2024, 5, 30, 23, 30) }))
afterEach(() => vi.useRealTimers())

function setUp(...given: Parameters<typeof setUpLog>) {
  const log = setUpLog(...given)
  return {
    ...log,
    type: (field: Field, text: string) => log.store.set(typeFormAtom, FORM, field, text),
    insert: () => log.store.set(insertAtom, 7, {}),
    hasDraft: () => hasFormDraft(log.store.get, FORM),
  }
}

test('needs only a name, and starts on the owner’s current day', async () => {
  const { type, insert, writes, hasDraft } = setUp()
  type('name', '  New chain ')
  expect(await insert()).toBe('saved')
  expect(writes().map(({ body }) => body)).toEqual([
    {
      command: 'add_item',
      arguments: { item: { bikeId: 7, dateStarted: '2024-06-30 01:00:00', name: 'New chain' } },
      key,
    },
  ])
  expect(hasDraft()).toBe(false)
})

test('sends nothing without a name', async () => {
  const { type, insert, writes, hasDraft } = setUp()
  type('name', '   ')
  type('cost', '45')
  expect(await insert()).toBe('nameless')
  expect(writes()).toEqual([])
  expect(hasDraft()).toBe(true)
})

test('sends nothing with an invalid field', async () => {
  const { type, insert, writes } = setUp()
  type('name', 'Chain')
  type('dateEnded', '06/29/2024')
  expect(await insert()).toBe('invalid')
  expect(writes()).toEqual([])
})

test('pressing SAVE twice inserts once', async () => {
  const { type, insert, writes } = setUp()
  type('name', 'Chain')
  expect(await Promise.all([insert(), insert()])).toEqual(['saved', 'busy'])
  expect(writes()).toHaveLength(1)
})

const isAdd = ({ path }: { path: string }) => path === GATE

test('keeps the typed text when adding fails', async () => {
  const { type, insert, hasDraft } = setUp([ITEM], (call) =>
    isAdd(call) ? Response.json({ code: 'XX000' }, { status: 500 }) : undefined,
  )
  type('name', 'Chain')
  expect(await insert()).toBe('failed')
  expect(hasDraft()).toBe(true)
  expect(toasts.failures).toEqual(['The log entry was not added. Something went wrong. Try again.'])
})

/** Breaks the connection once the first request to add an item has arrived, until `reconnect`. */
function breaking() {
  let isDown = false
  const log = setUp([], (call) => {
    // Not a network failure, because the client would retry the read.
    if (isDown) return new Response('{}', { status: 500 })
    if (!isAdd(call) || log.log.length > 0) return undefined
    isDown = true
    return 'lost'
  })
  return { ...log, reconnect: () => void (isDown = false) }
}

test('a field that was emptied before pressing SAVE again becomes a draft, too', async () => {
  const { type, insert, log, reconnect, store } = breaking()
  type('name', 'Belt')
  type('description', 'Gates')
  type('cost', '60')
  type('dateStarted', '05/01/2024')
  await insert()
  type('description', '')
  type('cost', '')
  type('dateStarted', '')
  reconnect()
  await insert()
  expect(log).toMatchObject([{ description: 'Gates', cost: 60, dateStarted: '2024-05-01 01:00:00' }])
  const draft = (field: Field) => store.get(draftAtom(cellKey(log[0]!, field)))
  expect(draft('description')).toMatchObject({ text: '', isCleared: true })
  expect(draft('cost')?.text).toBe('$0.00')
  expect(draft('dateStarted')?.text).toBe('06/30/2024')
  expect(draft('name')).toBeNull()
  expect(toasts.failures[1]).toBe('“Belt” had already been added. Your later changes are not saved yet.')
})

test('the next item has a new key, even if typed while the first was being added', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { type, insert, log, writes } = setUp([], (call) => (isAdd(call) ? slow.promise : undefined))
  type('name', 'Belt')
  const first = insert()
  type('name', 'Saddle')
  slow.resolve(undefined)
  await first
  await insert()
  expect(log.map(({ name }) => name)).toEqual(['Belt', 'Saddle'])
  expect(new Set(writes().map(({ body }) => (body as Command).key)).size).toBe(2)
})
