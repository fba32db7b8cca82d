// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { isSessionPendingAtom } from '../../lib/connection.ts'
import { US } from '../../lib/fake-formats.ts'
import { cellKey, cellOf, saveCellAtom, savingAtom, typeAtom } from './cell.ts'
import { draftAtom, orphanDraftsAtom } from './drafts.ts'
import { GATE } from '../../lib/fake-backend.ts'
import { ITEM } from './fake-item.ts'
import { setUpLog } from './fake-log.ts'
import type { Field } from './fields.ts'
import { logAtom } from './log.ts'

const toasts = recordToasts()

const isEdit = (path: string) => path === GATE

async function ready(...setUp: Parameters<typeof setUpLog>) {
  const log = setUpLog(...setUp)
  await expect.poll(() => log.item()).toBeDefined()
  const current = () => log.item() ?? ITEM
  return {
    ...log,
    type: (field: Field, text: string) => log.store.set(typeAtom, current(), field, text),
    save: (field: Field) => log.store.set(saveCellAtom, current(), field),
    draft: (field: Field) => log.store.get(draftAtom(cellKey(ITEM, field)))?.text,
  }
}

test.each([
  ['name', ' KMC X11 ', 'Chain', 'KMC X11'],
  ['description', 'gold', 'KMC', 'gold'],
  ['type', 'Drivetrain', null, 'Drivetrain'],
  ['cost', '$1,234.56', 45, 1234],
  ['dateStarted', '1/9/2024', '2024-01-10T01:00:00', '2024-01-09 01:00:00'],
  ['dateEnded', '12/31/2024', null, '2024-12-31 01:00:00'],
] as const)(
  'saving %s sends only that column, with the value it replaces',
  async (field, text, old, value) => {
    const { type, save, draft, writes } = await ready()
    type(field, text)
    await save(field)
    expect(writes().map(({ body }) => body)).toEqual([
      {
        command: 'edit_row',
        arguments: {
          relation: 'maintenance',
          row_id: 1,
          shown: { [field]: old },
          wanted: { [field]: value },
        },
        key: expect.any(String) as string,
      },
    ])
    expect(draft(field)).toBeUndefined()
  },
)

test.each([
  ['name', ' Chain '],
  ['name', '  '],
  ['dateEnded', '01/09/2024'],
] as const)('does not send %s as %j', async (field, text) => {
  const { type, save, writes } = await ready()
  type(field, text)
  await save(field)
  expect(writes()).toEqual([])
})

test('typing the stored value back removes the draft', async () => {
  const { type, draft } = await ready()
  type('name', 'Chai')
  expect(draft('name')).toBe('Chai')
  type('name', 'Chain')
  expect(draft('name')).toBeUndefined()
})

test('pressing SAVE again during a save does not send again', async () => {
  const { type, save, writes } = await ready()
  type('name', 'KMC')
  await Promise.all([save('name'), save('name')])
  expect(writes()).toHaveLength(1)
})

test('saves two columns at the same time', async () => {
  const { type, save, item } = await ready()
  type('name', 'KMC')
  type('cost', '50')
  await Promise.all([save('name'), save('cost')])
  expect(item()).toMatchObject({ name: 'KMC', cost: 50 })
})

test('saves two texts of one cell in order, and the last one wins', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { type, save, item, writes, draft } = await ready([ITEM], ({ body }) =>
    JSON.stringify(body).includes('"wanted":{"name":"first"}') ? slow.promise : undefined,
  )
  type('name', 'first')
  const both = [save('name')]
  type('name', 'second')
  both.push(save('name'))
  slow.resolve(undefined)
  await Promise.all(both)
  expect(writes()).toMatchObject([
    { body: { arguments: { shown: { name: 'Chain' }, wanted: { name: 'first' } } } },
    { body: { arguments: { shown: { name: 'first' }, wanted: { name: 'second' } } } },
  ])
  expect(item()?.name).toBe('second')
  expect(draft('name')).toBeUndefined()
})

test('keeps text typed during a save as a draft', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { type, save, draft, store } = await ready([ITEM], ({ path }) =>
    isEdit(path) ? slow.promise : undefined,
  )
  type('name', 'first')
  const saved = save('name')
  type('name', 'first and more')
  slow.resolve(undefined)
  await saved
  expect(draft('name')).toBe('first and more')
  expect(store.get(draftAtom(cellKey(ITEM, 'name')))?.base).toBe('first')
  expect(store.get(savingAtom(cellKey(ITEM, 'name')))).toBeNull()
})

test('drops the draft of a saved value even if the clock is set back meanwhile', async () => {
  const { type, save, draft } = await ready()
  type('name', 'first')
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now -= 60_000))
  await save('name')
  expect(draft('name')).toBeUndefined()
})

test('reports that the item was deleted', async () => {
  const { type, save, log, store } = await ready()
  type('name', 'KMC')
  log.length = 0
  await save('name')
  expect(toasts.failures).toEqual(['Name of “Chain” was not saved. It was removed elsewhere.'])
  expect(store.get(orphanDraftsAtom(7))).toHaveLength(1)
})

describe('a value that was changed elsewhere', () => {
  test('is not overwritten until SAVE is pressed again', async () => {
    const { type, save, log, draft, store } = await ready()
    type('name', 'Mine')
    log[0]!.name = 'Theirs'
    await save('name')
    expect(log[0]?.name).toBe('Theirs')
    expect(draft('name')).toBe('Mine')
    expect(toasts.failures).toEqual(['Name of “Chain” was not saved. It was changed elsewhere.'])
    const stored = store.get(logAtom(7))
    const item = stored.state === 'ready' ? stored.data[0]! : ITEM
    expect(cellOf(item, 'name', store.get(draftAtom(cellKey(item, 'name'))), null, US)).toMatchObject({
      text: 'Mine',
      changedTo: 'Theirs',
    })
    await save('name')
    expect([log[0]?.name, draft('name')]).toEqual(['Mine', undefined])
  })

  test('is not overwritten by a queued save', async () => {
    const slow = Promise.withResolvers<undefined>()
    const { type, save, log } = await ready([ITEM], ({ body }) =>
      JSON.stringify(body).includes('"wanted":{"name":"first"}') ? slow.promise : undefined,
    )
    type('name', 'first')
    const both = [save('name')]
    type('name', 'second')
    both.push(save('name'))
    log[0]!.name = 'Theirs'
    slow.resolve(undefined)
    await Promise.all(both)
    expect(log[0]?.name).toBe('Theirs')
  })

  test('to the same value counts as saved', async () => {
    const { type, save, log, draft } = await ready()
    type('cost', '50')
    log[0]!.cost = 50
    await save('cost')
    expect([draft('cost'), toasts.failures]).toEqual([undefined, []])
  })
})

test('reports an unclear result and keeps the draft if the repetition fails too', async () => {
  let state: 'up' | 'down' | 'up again' = 'up'
  const { type, save, draft, log } = await ready([ITEM], ({ path }) => {
    if (state === 'down') return new Response('{}', { status: 500 })
    if (state === 'up again' || !isEdit(path)) return undefined
    state = 'down'
    return 'lost'
  })
  type('cost', '99')
  await save('cost')
  expect(draft('cost')).toBe('99')
  expect(toasts.failures).toEqual([
    'Cost of “Chain” may or may not have been saved. The connection dropped. Try again; nothing is saved twice.',
  ])
  state = 'up again'
  await save('cost')
  expect([log[0]?.cost, draft('cost')]).toEqual([99, undefined])
})

test('keeps a value saved just before going offline as a draft until it is read back', async () => {
  const { store, type, save, draft, item } = await ready([ITEM], ({ path }) => {
    // A session waiting for a refresh counts as offline.
    if (isEdit(path)) store.set(isSessionPendingAtom, true)
    return undefined
  })
  // The save must be at least a millisecond later than the read.
  await new Promise((resolve) => setTimeout(resolve, 2))
  type('name', 'Belt')
  await save('name')
  expect([item()?.name, draft('name')]).toEqual(['Chain', 'Belt'])

  store.set(isSessionPendingAtom, false)
  await expect.poll(() => item()?.name).toBe('Belt')
})
