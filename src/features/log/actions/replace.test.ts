// @vitest-environment jsdom
import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { recordToasts } from '../../../components/record-toasts.ts'
import { backendAtom } from '../../../lib/backend.ts'
import { timestampOf, localDay } from '../../../lib/days.ts'
import { US } from '../../../lib/fake-formats.ts'
import { type Command, fakeBackend, GATE, written } from '../../../lib/fake-backend.ts'
import { ITEM } from '../data/fake-item.ts'
import { discardFormAtom, formCell, hasFormDraft, restoreFormAtom, typeFormAtom } from '../data/entry-form.ts'
import type { Field } from '../data/fields.ts'
import { reasonAtom, replaceAtom } from './replace.ts'

const toasts = recordToasts()

const CHAIN = { ...ITEM, part_id: 5, type: 'Drivetrain', cost: 45.5 }
const FORM = { bikeId: CHAIN.bikeId, replaced: CHAIN }
const CHANGED = {
  ended: [{ ...CHAIN, dateEnded: '2024-06-30T01:00:00', ended_as: 'worn', replaces: null }],
  added: [{ ...CHAIN, id: 2, part_id: 6, cost: 30, dateStarted: '2024-06-30T01:00:00', replaces: 1 }],
}

/** Creates a store whose backend records commands and returns `answers` in order. */
function setUp(...answers: (() => Response)[]) {
  const calls: Command[] = []
  const { backend } = fakeBackend((sent) => {
    if (sent.path === GATE) {
      const call = sent.body as Command
      calls.push(call)
      return (answers.shift() ?? (() => written(CHANGED, call.key)))()
    }
    if (sent.path.endsWith('/rpc/log_items')) return Response.json({ items: [] })
    return Response.json({ parts: [] })
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const cell = (field: Field) => formCell(store.get, FORM, field)
  return {
    store,
    cell,
    calls,
    sentChanges: () => calls.map((call) => call.arguments),
  }
}

const lost = (): Response => {
  throw new TypeError('Failed to fetch')
}
const refused = (code: string) => () => Response.json({ code, message: '' }, { status: 400 })

test('copies the item without its description, and replaces it today', async () => {
  const { store, sentChanges } = setUp()
  expect(await store.set(replaceAtom, CHAIN)).toBe('saved')
  expect(sentChanges()).toEqual([
    {
      day: localDay(new Date()),
      take_off: [{ id: 1, ended_as: 'worn' }],
      put_on: [{ replaces: 1, type: 'Drivetrain', name: 'Chain', description: null, link: null, cost: 45.5 }],
    },
  ])
  expect(toasts).toMatchObject({ offers: [{ message: '“Chain” was replaced.' }], failures: [] })
})

test('sends the typed values', async () => {
  const { store, sentChanges } = setUp()
  store.set(typeFormAtom, FORM, 'name', ' Campa chain ')
  store.set(typeFormAtom, FORM, 'description', '')
  store.set(typeFormAtom, FORM, 'cost', '60')
  store.set(typeFormAtom, FORM, 'dateStarted', '02/03/2024')
  store.set(reasonAtom(1), 'damaged')
  await store.set(replaceAtom, CHAIN)
  expect(sentChanges()).toMatchObject([
    {
      day: '2024-02-03',
      take_off: [{ ended_as: 'damaged' }],
      put_on: [{ name: 'Campa chain', description: null, cost: 60 }],
    },
  ])
})

test.each([
  ['name', ' ', 'Enter a value.'],
  ['dateStarted', '01/09/2024', 'Enter a date on or after 01/10/2024, when it was installed.'],
  ['dateStarted', '12/31/2099', 'Enter today or an earlier date.'],
  ['dateStarted', '02/30/2024', 'Enter a date as MM/DD/YYYY.'],
] as const)('rejects the %s %j and sends nothing', async (field, text, message) => {
  const { store, cell, calls } = setUp()
  store.set(typeFormAtom, FORM, field, text)
  expect(cell(field).state).toEqual({ status: 'invalid', message })
  expect(await store.set(replaceAtom, CHAIN)).toBe(field === 'name' ? 'nameless' : 'invalid')
  expect(calls).toEqual([])
})

test('keeps the request key when the name is restored', async () => {
  const { store, cell, calls } = setUp(lost, lost)
  await store.set(replaceAtom, CHAIN)
  store.set(typeFormAtom, FORM, 'name', 'Belt')
  store.set(restoreFormAtom, FORM, 'name')
  expect(cell('name')).toMatchObject({ text: 'Chain', isChanged: false })
  await store.set(replaceAtom, CHAIN)
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
})

const savedEarlier = () =>
  Response.json(
    { code: 'RMT07', message: '', stored: { answer: CHANGED, change: 'earlier' } },
    { status: 409 },
  )

const undone = () => written({ restored: 2, conflicts: [] }, 'undo')

test('offers to undo the version saved earlier, keeps the form, and then saves the changes', async () => {
  const { store, cell, calls } = setUp(lost, lost, savedEarlier, undone)
  store.set(typeFormAtom, FORM, 'cost', '30')
  await store.set(replaceAtom, CHAIN)
  store.set(typeFormAtom, FORM, 'cost', '55')
  await store.set(replaceAtom, CHAIN)
  const message = 'An earlier version was saved. To replace “Chain” as typed now, undo that first.'
  expect(toasts.offers).toMatchObject([{ message, label: 'Undo' }])
  expect(cell('cost').text).toBe('55')

  toasts.offers[0]!.run()
  await expect.poll(() => calls[3]).toMatchObject({ command: 'undo', arguments: { change: 'earlier' } })
  await store.set(replaceAtom, CHAIN)
  expect(calls[4]).toMatchObject({ arguments: { put_on: [{ cost: 55 }] } })
  expect(calls[4]!.key).not.toBe(calls[0]!.key)
  expect(toasts.offers[1]?.message).toBe('“Chain” was replaced.')
})

test('shows why the database refused, and keeps what was typed', async () => {
  const { store, cell } = setUp(refused('RMT12'))
  store.set(typeFormAtom, FORM, 'cost', '60')
  await store.set(replaceAtom, CHAIN)
  const failures = ['“Chain” was not replaced. It has already ended.']
  expect(toasts).toMatchObject({ offers: [], failures })
  expect(cell('cost').text).toBe('60')
})

test('discards the drafts when the form is closed', () => {
  const { store, cell } = setUp()
  store.set(typeFormAtom, FORM, 'cost', '60')
  expect(hasFormDraft(store.get, FORM)).toBe(true)
  store.set(discardFormAtom, FORM)
  expect(hasFormDraft(store.get, FORM)).toBe(false)
  expect(cell('dateStarted')).toMatchObject({
    text: US.day(localDay(new Date())),
    value: timestampOf(localDay(new Date())),
  })
})
