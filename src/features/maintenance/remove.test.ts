import { beforeEach, expect, test, vi } from 'vitest'

import { cellKey, typeAtom } from './cell.ts'
import { draftAtom } from './drafts.ts'
import { ITEM, setUpLog } from './fake-log.ts'
import { removeAtom } from './remove.ts'

type Offer = { sentence: string; label: string; run: () => void }

const toasts = vi.hoisted(() => ({ offers: [] as Offer[], failures: [] as string[] }))
vi.mock('../../components/toasts.tsx', () => ({
  notifyFailure: (sentence: string) => toasts.failures.push(sentence),
  notifyWithAction: (sentence: string, action: { label: string; run: () => void }) =>
    toasts.offers.push({ sentence, ...action }),
}))

beforeEach(() => {
  sessionStorage.clear()
  toasts.offers.length = 0
  toasts.failures.length = 0
})

test('a deletion names its bike and its id, and returns what it deletes', async () => {
  const { store, writes, log } = setUpLog()
  expect(await store.set(removeAtom, ITEM)).toBe(true)
  expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
    expect.stringMatching(/^DELETE \/rest\/v1\/maintenance\?bikeId=eq.7&id=eq.1&select=id%2C.*request_key$/),
  ])
  expect(log).toEqual([])
})

test('undoing it brings the item back as it was, its id and its drafts included', async () => {
  const { store, log } = setUpLog()
  store.set(typeAtom, ITEM, 'name', 'half ty')
  await store.set(removeAtom, ITEM)
  expect(store.get(draftAtom(cellKey(ITEM, 'name')))).toBeNull()
  expect(toasts.offers).toMatchObject([{ sentence: '“Chain” was deleted.', label: 'Undo' }])
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(store.get(draftAtom(cellKey(ITEM, 'name')))?.text).toBe('half ty'))
  expect(log).toEqual([ITEM])
})

test('an undo that fails is offered again', async () => {
  let isDown = true
  const { store, log } = setUpLog([ITEM], ({ method, path }) =>
    isDown && method === 'POST' && path.startsWith('/rest/')
      ? new Response('{}', { status: 503 })
      : undefined,
  )
  await store.set(removeAtom, ITEM)
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(toasts.offers[1]?.label).toBe('Try again'))
  isDown = false
  toasts.offers[1]?.run()
  await vi.waitFor(() => expect(log).toEqual([ITEM]))
})

test('Undo restores what was stored, including an edit made elsewhere and the key it was added with', async () => {
  const { store, log } = setUpLog()
  const elsewhere = { ...ITEM, cost: 99, request_key: '8e4b1b9c-2f43-4e9f-9f0a-3d0a0b6a3f11' }
  log[0] = elsewhere
  await store.set(removeAtom, ITEM)
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(log).toEqual([elsewhere]))
})

test('a deletion whose response is lost can be undone', async () => {
  const { store, log } = setUpLog([ITEM], ({ method }) => (method === 'DELETE' ? 'lost' : undefined))
  expect(await store.set(removeAtom, ITEM)).toBe(true)
  expect(toasts).toMatchObject({ offers: [{ sentence: '“Chain” was deleted.' }], failures: [] })
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(log).toEqual([ITEM]))
})

test('an undo whose response is lost is done, and undoing again adds nothing', async () => {
  const { store, log, writes } = setUpLog([ITEM], ({ method, path }) =>
    method === 'POST' && path.startsWith('/rest/') ? 'lost' : undefined,
  )
  await store.set(removeAtom, ITEM)
  toasts.offers[0]?.run()
  toasts.offers[0]?.run()
  await vi.waitFor(() => expect(writes()).toHaveLength(3))
  await vi.waitFor(() => expect(log).toEqual([ITEM]))
  expect(toasts.offers).toHaveLength(1)
})

test('a deletion that fails is told, and nothing is offered', async () => {
  const { store, log } = setUpLog([ITEM], ({ method }) =>
    method === 'DELETE' ? new Response('{}', { status: 503 }) : undefined,
  )
  expect(await store.set(removeAtom, ITEM)).toBe(false)
  expect(toasts).toEqual({ offers: [], failures: [expect.stringContaining('“Chain” was not deleted.')] })
  expect(log).toEqual([ITEM])
})
