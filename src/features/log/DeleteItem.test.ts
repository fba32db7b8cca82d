// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { cellKey, typeAtom } from '../items/cell.ts'
import { draftAtom } from '../items/drafts.ts'
import { ITEM, setUpLog } from '../items/fake-log.ts'
import { deleteItemAtom } from './DeleteItem.tsx'

const toasts = recordToasts()
beforeEach(() => sessionStorage.clear())

test('deletes by bike and id, and returns the deleted item', async () => {
  const { store, writes, log } = setUpLog()
  expect(await store.set(deleteItemAtom, ITEM)).toBe(true)
  expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
    expect.stringMatching(/^DELETE \/rest\/v1\/maintenance\?bikeId=eq.7&id=eq.1&select=id%2C.*request_key$/),
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
  await vi.waitFor(() => expect(store.get(draftAtom(cellKey(ITEM, 'name')))?.text).toBe('half ty'))
  expect(log).toEqual([ITEM])
})

test('offers Undo again after it fails', async () => {
  let isDown = true
  const { store, log } = setUpLog([ITEM], ({ method, path }) =>
    isDown && method === 'POST' && path.startsWith('/rest/')
      ? new Response('{}', { status: 503 })
      : undefined,
  )
  await store.set(deleteItemAtom, ITEM)
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(toasts.offers[1]?.label).toBe('Try again'))
  isDown = false
  toasts.offers[1]?.run()
  await vi.waitFor(() => expect(log).toEqual([ITEM]))
})

test('Undo restores edits made elsewhere and the request key', async () => {
  const { store, log } = setUpLog()
  const elsewhere = { ...ITEM, cost: 99, request_key: '8e4b1b9c-2f43-4e9f-9f0a-3d0a0b6a3f11' }
  log[0] = elsewhere
  await store.set(deleteItemAtom, ITEM)
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(log).toEqual([elsewhere]))
})

test('Undo works after the response to the deletion is lost', async () => {
  const { store, log } = setUpLog([ITEM], ({ method }) => (method === 'DELETE' ? 'lost' : undefined))
  expect(await store.set(deleteItemAtom, ITEM)).toBe(true)
  expect(toasts).toMatchObject({ offers: [{ message: '“Chain” was deleted.' }], failures: [] })
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(log).toEqual([ITEM]))
})

test('Undo restores edits made elsewhere after the response to the deletion is lost', async () => {
  const { store, log } = setUpLog([ITEM], ({ method }) => (method === 'DELETE' ? 'lost' : undefined))
  const elsewhere = { ...ITEM, cost: 99, request_key: '8e4b1b9c-2f43-4e9f-9f0a-3d0a0b6a3f11' }
  log[0] = elsewhere
  expect(await store.set(deleteItemAtom, ITEM)).toBe(true)
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(log).toEqual([elsewhere]))
})

test('undoing again after a lost response adds nothing', async () => {
  const { store, log, writes } = setUpLog([ITEM], ({ method, path }) =>
    method === 'POST' && path.startsWith('/rest/') ? 'lost' : undefined,
  )
  await store.set(deleteItemAtom, ITEM)
  toasts.offers[0]?.run()
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(writes()).toHaveLength(3))
  await vi.waitFor(() => expect(log).toEqual([ITEM]))
  expect(toasts.offers).toHaveLength(1)
})

test('reports a failed deletion and does not offer Undo', async () => {
  const { store, log } = setUpLog([ITEM], ({ method }) =>
    method === 'DELETE' ? new Response('{}', { status: 503 }) : undefined,
  )
  expect(await store.set(deleteItemAtom, ITEM)).toBe(false)
  expect(toasts).toMatchObject({
    offers: [],
    failures: [expect.stringContaining('“Chain” was not deleted.')],
  })
  expect(log).toEqual([ITEM])
})
