// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { Provider } from 'jotai'
import { createElement, type ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'

import { recordToasts } from '../../../components/record-toasts.ts'
import { localDay } from '../../../lib/days.ts'
import { US } from '../../../lib/fake-formats.ts'
import { type Command, fakeStore, GATE, written } from '../../../lib/fake-backend.ts'
import { draftedFieldsAtom } from '../../entries/drafts.ts'
import { ITEM } from '../../entries/fake-item.ts'
import type { Item } from '../../entries/fields.ts'
import type { Reason } from './api.ts'
import { useReplacement } from './replacement.ts'

const toasts = recordToasts()
beforeEach(() => sessionStorage.clear())

const CHAIN = { ...ITEM, part_id: 5, type: 'Drivetrain', cost: 45.5 }
const CHANGED = {
  ended: [{ ...CHAIN, dateEnded: '2024-06-30T01:00:00', ended_as: 'worn', replaces: null }],
  added: [{ ...CHAIN, id: 2, part_id: 6, cost: 30, dateStarted: '2024-06-30T01:00:00', replaces: 1 }],
}

/** Opens the form with a backend that records commands. */
function setUp(item: Item = CHAIN) {
  const calls: Command[] = []
  const { store } = fakeStore(({ path, body }) => {
    if (path !== GATE) return Response.json({ items: [], parts: [] })
    const call = body as Command
    calls.push(call)
    return written(CHANGED, call.key)
  })
  const wrapper = ({ children }: { children: ReactNode }) => createElement(Provider, { store }, children)
  const { result, unmount } = renderHook(() => useReplacement(item), { wrapper })
  type Form = (typeof result)['current']['form']
  return {
    calls,
    kind: () => result.current.kind,
    unmount,
    form: () => result.current.form,
    set: (...change: Parameters<Form['set']>) => act(() => result.current.form.set(...change)),
    choose: (reason: Reason) => act(() => result.current.giveReason(reason)),
    save: () => act(() => result.current.form.submit()),
    discard: () => act(() => result.current.form.discard()),
    hasDraft: () => store.get(draftedFieldsAtom(CHAIN.bikeId)).has(`replace-${CHAIN.id}`),
    sentChanges: () => calls.map((call) => call.arguments),
  }
}

test('copies the item without its description, and replaces it today', async () => {
  const { save, sentChanges, hasDraft } = setUp()
  expect(await save()).toBeNull()
  expect(sentChanges()).toEqual([
    {
      day: localDay(new Date()),
      take_off: [{ id: 1, ended_as: 'worn' }],
      put_on: [
        {
          replaces: 1,
          type: 'Drivetrain',
          name: 'Chain',
          description: null,
          link: null,
          cost: 45.5,
          // It isn't known what the replaced part is, so the name says it.
          kind: 'chain',
          position: null,
        },
      ],
    },
  ])
  expect(toasts).toMatchObject({ offers: [{ message: '“Chain” was replaced.' }], failures: [] })
  expect(hasDraft()).toBe(false)
})

test('sends the typed values', async () => {
  const { set, choose, save, sentChanges } = setUp()
  set('name', ' Campa chain ')
  set('description', '')
  set('cost', '60')
  set('dateStarted', '02/03/2024')
  choose('damaged')
  await save()
  expect(sentChanges()).toMatchObject([
    {
      day: '2024-02-03',
      take_off: [{ ended_as: 'damaged' }],
      put_on: [{ name: 'Campa chain', description: null, cost: 60 }],
    },
  ])
})

test.each([
  ['name', ' ', 'Enter a name first.'],
  ['dateStarted', '01/09/2024', 'Enter a date on or after 01/10/2024, when it was installed.'],
  ['dateStarted', '12/31/2099', 'Enter today or an earlier date.'],
  ['dateStarted', '02/30/2024', 'Enter a date as MM/DD/YYYY.'],
] as const)('rejects the %s %j and sends nothing', async (field, text, message) => {
  const { set, save, form, calls } = setUp()
  set(field, text)
  expect(form().problems).toEqual({ [field]: message })
  expect(await save()).toBe('')
  expect(calls).toEqual([])
})

test('keeps what was typed until the form is closed, but not text that was typed back', () => {
  const { set, form, hasDraft, discard } = setUp()
  set('cost', '60')
  set('name', 'KMC')
  expect(hasDraft()).toBe(true)
  set('name', 'Chain')
  set('cost', '$45.50')
  expect([form().isChanged, hasDraft()]).toEqual([false, false])
  set('cost', '60')
  discard()
  expect(hasDraft()).toBe(false)
  expect(form().inputs).toMatchObject({ cost: '$45.50', dateStarted: US.day(localDay(new Date())) })
})

test('takes over what the part is and where, and keeps another choice until it is saved', async () => {
  const front: Item = { ...CHAIN, name: 'Pro One', kind: 'tire', position: 'front' }
  const first = setUp(front)
  expect(first.kind()).toMatchObject({ value: { kind: 'tire', position: 'front' }, asksForEnd: false })
  expect(first.form().isChanged).toBe(false)
  act(() => first.kind().choose({ kind: 'tire', position: 'both' }))
  first.unmount()

  const again = setUp(front)
  expect(again.kind().value).toEqual({ kind: 'tire', position: 'both' })
  expect(again.form().isChanged).toBe(true)
  act(() => again.kind().choose({ kind: 'tire', position: 'front' }))
  expect(again.form().isChanged).toBe(false)
  expect(again.hasDraft()).toBe(false)
  act(() => again.kind().choose({ kind: 'tire', position: 'both' }))
  await again.save()
  expect(again.sentChanges()).toMatchObject([
    { put_on: [{ name: 'Pro One', kind: 'tire', position: 'both' }] },
  ])
  expect(again.hasDraft()).toBe(false)
})
