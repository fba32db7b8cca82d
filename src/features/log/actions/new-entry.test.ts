// @vitest-environment jsdom
import { act, renderHook, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { recordToasts } from '../../../components/record-toasts.ts'
import { type Command, GATE } from '../../../lib/fake-backend.ts'
import { cellKey } from '../../entries/cell.ts'
import { draftAtom, draftedFieldsAtom } from '../../entries/drafts.ts'
import { ITEM } from '../../entries/fake-item.ts'
import { setUpLog } from '../../entries/fake-log.ts'
import type { Field } from '../../entries/fields.ts'
import { useNewEntry } from './new-entry.ts'

const toasts = recordToasts()

const key = expect.stringMatching(/^[\da-f-]{36}$/) as string

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2024, 5, 30, 23, 30) })
})
afterEach(() => vi.useRealTimers())

function setUp(...given: Parameters<typeof setUpLog>) {
  const log = setUpLog(...given)
  const onAdded = vi.fn<(id: number) => void>()
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(Provider, { store: log.store }, children)
  const open = () => renderHook(() => useNewEntry(7, { onAdded }), { wrapper })
  let hook = open()
  return {
    ...log,
    onAdded,
    type: (field: Field, text: string) => act(() => hook.result.current.form.set(field, text)),
    insert: () => act(() => hook.result.current.form.submit()),
    kind: () => hook.result.current.kind,
    text: (field: Field) => hook.result.current.form.inputs[field],
    problems: () => hook.result.current.form.problems,
    hasDraft: () => log.store.get(draftedFieldsAtom(7)).has('new'),
    /** Leaves the log and comes back, as with another tab of the page. */
    reopen: () => {
      hook.unmount()
      hook = open()
    },
  }
}

test('needs only a name, and starts on the owner’s current day', async () => {
  const { type, insert, writes, hasDraft, onAdded } = setUp()
  type('name', '  New chain ')
  expect(await insert()).toBeNull()
  expect(writes().map(({ body }) => body)).toEqual([
    {
      command: 'add_item',
      arguments: {
        item: {
          bikeId: 7,
          dateStarted: '2024-06-30 01:00:00',
          name: 'New chain',
          kind: 'chain',
          position: null,
        },
      },
      key,
    },
  ])
  expect(hasDraft()).toBe(false)
  expect(onAdded).toHaveBeenCalledExactlyOnceWith(101)
})

const sent = (writes: { body: unknown }[]) =>
  writes.map(({ body }) => {
    const { name, kind, position } = (body as Command).arguments['item'] as Record<string, unknown>
    return [name, kind, position]
  })

test('sends what the name proposes, or what the owner chose, for this entry only', async () => {
  const { type, insert, writes, kind } = setUp()
  type('name', 'Pro One, rear')
  await waitFor(() => expect(kind().value).toEqual({ kind: 'tire', position: 'rear' }))
  expect(kind().chosen).toBeNull()
  await insert()
  type('name', 'Pro One')
  act(() => kind().choose({ kind: null, position: null }))
  await insert()
  type('name', 'Winter set')
  type('type', 'Wheels')
  await insert()
  expect(sent(writes())).toEqual([
    ['Pro One, rear', 'tire', 'rear'],
    ['Pro One', null, null],
    ['Winter set', 'wheel', null],
  ])
})

test('keeps the chosen kind with the name’s draft until the name is emptied', async () => {
  const { kind, type, reopen } = setUp()
  type('name', 'Pro One')
  act(() => kind().choose({ kind: 'tire', position: 'both' }))
  reopen()
  expect(kind().value).toEqual({ kind: 'tire', position: 'both' })
  type('name', '')
  expect(kind().chosen).toBeNull()
})

test('offers once to split a name of two parts, and goes on with the second', async () => {
  const { type, insert, text, writes, kind } = setUp()
  type('name', 'Chain and cassette')
  await waitFor(() => expect(kind().split).not.toBeNull())
  act(() => kind().split!())
  expect(text('name')).toBe('Chain')
  await insert()
  expect(text('name')).toBe('cassette')
  await insert()
  expect(sent(writes())).toEqual([
    ['Chain', 'chain', null],
    ['cassette', 'cassette', null],
  ])
  expect(text('name')).toBe('')
})

test('sends nothing without a name', async () => {
  const { type, insert, writes, hasDraft, problems } = setUp()
  type('name', '   ')
  type('cost', '45')
  expect(await insert()).toBe('')
  expect(problems()).toEqual({ name: 'Enter a name first.' })
  expect(writes()).toEqual([])
  expect(hasDraft()).toBe(true)
})

test.each([
  ['06/29/2024', 'Enter a date on or after the start, 06/30/2024.'],
  ['06/31/2024', 'Enter a date as MM/DD/YYYY.'],
])('sends nothing with the end %s', async (end, problem) => {
  const { type, insert, writes, problems } = setUp()
  type('name', 'Chain')
  type('dateEnded', end)
  expect(problems()).toEqual({ dateEnded: problem })
  expect(await insert()).toBe('')
  expect(writes()).toEqual([])
})

test('pressing SAVE twice inserts once', async () => {
  const { type, insert, writes } = setUp()
  type('name', 'Chain')
  expect(await Promise.all([insert(), insert()])).toEqual([null, ''])
  expect(writes()).toHaveLength(1)
})

const isAdd = ({ path }: { path: string }) => path === GATE

test('keeps the typed text when adding fails, also while the log is away', async () => {
  const { type, insert, text, reopen } = setUp([ITEM], (call) =>
    isAdd(call) ? Response.json({ code: 'XX000' }, { status: 500 }) : undefined,
  )
  type('name', 'Chain')
  expect(await insert()).toBe('The log entry was not added. Something went wrong. Try again.')
  reopen()
  expect(text('name')).toBe('Chain')
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

test('an entry whose response was lost is added once, also after the form was opened again', async () => {
  const { type, insert, log, reconnect, reopen, hasDraft } = breaking()
  type('name', 'Belt')
  expect(await insert()).toContain('may or may not have been added')
  reopen()
  reconnect()
  expect(await insert()).toBeNull()
  expect(log.map(({ name }) => name)).toEqual(['Belt'])
  expect(hasDraft()).toBe(false)
})

test('what was changed or emptied before SAVE was pressed again becomes a draft of the entry', async () => {
  const { type, insert, log, reconnect, reopen, store, hasDraft } = breaking()
  type('name', 'Belt')
  type('description', 'Gates')
  type('cost', '60')
  type('dateStarted', '05/01/2024')
  await insert()
  reopen()
  type('description', '')
  type('cost', '')
  type('dateStarted', '')
  reconnect()
  expect(await insert()).toBeNull()
  expect(log).toMatchObject([{ description: 'Gates', cost: 60, dateStarted: '2024-05-01 01:00:00' }])
  const draft = (field: Field) => store.get(draftAtom(cellKey(log[0]!, field)))
  expect(draft('description')).toMatchObject({ text: '', isCleared: true })
  expect(draft('cost')?.text).toBe('$0.00')
  expect(draft('dateStarted')?.text).toBe('06/30/2024')
  expect(draft('name')).toBeNull()
  expect(hasDraft()).toBe(false)
  expect(toasts.failures).toEqual(['“Belt” had already been added. Your later changes are not saved yet.'])
})

test('the next item has a new key, even if typed while the first was being added', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { type, insert, log, writes, text } = setUp([], (call) => (isAdd(call) ? slow.promise : undefined))
  type('name', 'Belt')
  const first = insert()
  type('name', 'Saddle')
  slow.resolve(undefined)
  await first
  expect(text('name')).toBe('Saddle')
  await insert()
  expect(log.map(({ name }) => name)).toEqual(['Belt', 'Saddle'])
  expect(new Set(writes().map(({ body }) => (body as Command).key)).size).toBe(2)
})
