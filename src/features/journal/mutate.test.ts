// @vitest-environment jsdom
import { atom } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { type Command, fakeStore, GATE, written } from '../../lib/fake-backend.ts'
// Loads it before the tests, which don't wait long for it.
import '../../../supabase/functions/_shared/messages/change-messages.ts'
import { offerUndo } from './mutate.ts'

const toasts = recordToasts()
const onUndone = vi.fn<() => void>()
beforeEach(() => onUndone.mockClear())

const CHANGE = '8e4b1b9c-2f43-4e9f-9f0a-3d0a0b6a3f11'
const undone = () => written({ restored: 1, conflicts: [] }, CHANGE)

/** Offers Undo. `respond` answers the requests to undo. */
function offer(respond: () => Response, change: string | null = CHANGE) {
  const { store, sent } = fakeStore(respond)
  const edit = { label: 'Edit', run: () => undefined }
  const offerAtom = atom(null, (get, set) =>
    offerUndo(get, set, 'Wax done', { change, of: '“Wax”', onUndone }, [edit]),
  )
  return { undo: store.set(offerAtom), sent }
}

const shown = () => toasts.offers.map(({ message, label }) => [message, label])

test('undoes the change by its id', async () => {
  const { sent } = offer(undone)
  expect(shown()).toEqual([
    ['Wax done', 'Undo'],
    ['Wax done', 'Edit'],
  ])
  toasts.offers[0]!.run()
  await expect.poll(() => onUndone).toHaveBeenCalledOnce()
  expect(sent).toMatchObject([
    { path: GATE, body: { command: 'undo', arguments: { change: CHANGE }, key: expect.any(String) } },
  ])
})

test('offers no Undo if nothing was changed', () => {
  expect(offer(undone, null).undo).toBeNull()
  expect(toasts).toMatchObject({ done: ['Wax done'], offers: [] })
})

test('repeats an Undo whose response was lost under the same id, also after Try again', async () => {
  let isDown = true
  const { sent } = offer(() => {
    if (isDown) throw new TypeError('Failed to fetch')
    return undone()
  })
  toasts.offers[0]!.run()
  await expect.poll(() => shown()).toHaveLength(3)
  expect(onUndone).not.toHaveBeenCalled()
  expect(shown()[2]).toEqual([
    'The change to “Wax” may or may not have been undone. The connection dropped. Try again; nothing is saved twice.',
    'Try again',
  ])
  isDown = false
  toasts.offers[2]!.run()
  await expect.poll(() => onUndone).toHaveBeenCalledOnce()
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ body }) => (body as Command).key)).size).toBe(1)
})

test('shows a later edit, which prevents the Undo', async () => {
  const event = { id: 1, task_id: 1, done_at: '2026-03-01T01:00:00', note: null }
  const conflict = {
    relation: 'service_events',
    row_id: 1,
    state: 'changed',
    before: null,
    after: event,
    present: { ...event, note: 'Drip' },
    item: null,
    task: { id: 1, name: 'Wax' },
    added: [],
  }
  offer(() => written({ restored: 0, conflicts: [conflict] }, null))
  toasts.offers[0]!.run()
  await expect.poll(() => shown()).toHaveLength(3)
  expect(onUndone).not.toHaveBeenCalled()
  expect(shown()[2]).toEqual([
    'The change to “Wax” was not undone. Wax of 03/01/2026 was edited since: Note empty → Drip.',
    'Try again',
  ])
})
