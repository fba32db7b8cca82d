// @vitest-environment jsdom
import { expect, test } from 'vitest'

import { recordToasts } from '../../../components/record-toasts.ts'
import { timestampOf, localDay } from '../../../lib/days.ts'
import { US } from '../../../lib/fake-formats.ts'
import { type Command, fakeStore, GATE, written } from '../../../lib/fake-backend.ts'
import { ITEM } from '../../entries/fake-item.ts'
import { discardFormAtom, formCell, hasFormDraft, typeFormAtom } from '../../entries/entry-form.ts'
import type { Field } from '../../entries/fields.ts'
import { reasonAtom, replaceAtom } from './replace.ts'

const toasts = recordToasts()

const CHAIN = { ...ITEM, part_id: 5, type: 'Drivetrain', cost: 45.5 }
const FORM = { bikeId: CHAIN.bikeId, replaced: CHAIN }
const CHANGED = {
  ended: [{ ...CHAIN, dateEnded: '2024-06-30T01:00:00', ended_as: 'worn', replaces: null }],
  added: [{ ...CHAIN, id: 2, part_id: 6, cost: 30, dateStarted: '2024-06-30T01:00:00', replaces: 1 }],
}

/** Creates a store whose backend records commands. */
function setUp() {
  const calls: Command[] = []
  const { store } = fakeStore(({ path, body }) => {
    if (path !== GATE) return Response.json({ items: [], parts: [] })
    const call = body as Command
    calls.push(call)
    return written(CHANGED, call.key)
  })
  const cell = (field: Field) => formCell(store.get, FORM, field)
  return { store, cell, calls, sentChanges: () => calls.map((call) => call.arguments) }
}

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
