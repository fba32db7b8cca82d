// @vitest-environment jsdom
import { expect, test } from 'vitest'

import { recordToasts } from '../../../components/record-toasts.ts'
import { cellKey, typeAtom } from '../data/cell.ts'
import { draftAtom } from '../data/drafts.ts'
import { GATE } from '../../../lib/fake-backend.ts'
import { ITEM } from '../data/fake-item.ts'
import { setUpLog } from '../data/fake-log.ts'
import { deleteItemAtom } from './DeleteItem.tsx'

const toasts = recordToasts()

test('deletes by bike and id', async () => {
  const { store, writes, log } = setUpLog()
  expect(await store.set(deleteItemAtom, ITEM)).toBe(true)
  expect(writes().map(({ body }) => body)).toMatchObject([
    { command: 'delete_item', arguments: { bikeId: 7, id: 1 } },
  ])
  expect(log).toEqual([])
})

test('Undo restores the item with its id and drafts', async () => {
  const { store, log } = setUpLog()
  store.set(typeAtom, ITEM, 'name', 'half ty')
  await store.set(deleteItemAtom, ITEM)
  expect(store.get(draftAtom(cellKey(ITEM, 'name')))).toBeNull()
  expect(toasts.offers).toMatchObject([{ message: '“Chain” was deleted.', label: 'Undo' }])
  toasts.offers[0]?.run()
  await expect.poll(() => store.get(draftAtom(cellKey(ITEM, 'name')))?.text).toBe('half ty')
  expect(log).toEqual([ITEM])
})

test('offers no Undo for an item that was already deleted elsewhere', async () => {
  const { store, log } = setUpLog()
  log.length = 0
  expect(await store.set(deleteItemAtom, ITEM)).toBe(true)
  expect(toasts).toMatchObject({ done: ['“Chain” was deleted.'], offers: [], failures: [] })
})

test('shows whether an item is still there that may or may not have been deleted', async () => {
  const { store, item } = setUpLog([ITEM], ({ path }) => (path === GATE ? 'lost' : undefined))
  await expect.poll(() => item()).toBeDefined()
  expect(await store.set(deleteItemAtom, ITEM)).toBe(false)
  expect(toasts.offers).toMatchObject([
    { message: expect.stringContaining('“Chain” may or may not have been deleted.'), label: 'Try again' },
  ])
  await expect.poll(() => item()).toBeUndefined()
})

test('reports a failed deletion and does not offer Undo', async () => {
  const { store, log } = setUpLog([ITEM], ({ path }) =>
    path === GATE ? new Response('{}', { status: 503 }) : undefined,
  )
  expect(await store.set(deleteItemAtom, ITEM)).toBe(false)
  expect(toasts.offers).toMatchObject([
    { message: expect.stringContaining('“Chain” was not deleted.'), label: 'Try again' },
  ])
  expect(log).toEqual([ITEM])
})
