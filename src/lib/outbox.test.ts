// @vitest-environment jsdom
import * as idb from 'idb-keyval'
import { beforeEach, expect, test, vi } from 'vitest'

import { fakeStore } from './fake-backend.ts'
import { showOutboxAtom, storedOutboxAtom } from './outbox.ts'
import { sentAtom, type Waiting, waitingAtom } from './waiting.ts'

vi.mock('idb-keyval')

beforeEach(() => localStorage.setItem('sb-backend-auth-token', JSON.stringify({ user: { id: 'ann' } })))

const change = (row_id: number, id: number) =>
  ({ command: 'edit_row', input: { relation: 'maintenance', row_id }, id, key: `${id}` }) as Waiting

test('is empty where IndexedDB is missing', async () => {
  vi.mocked(idb.get).mockImplementation(() => {
    throw new ReferenceError('indexedDB is not defined')
  })
  const { store } = fakeStore(() => new Response())
  store.sub(storedOutboxAtom, () => undefined)
  await expect.poll(() => store.get(storedOutboxAtom)).toEqual({ list: [], saved: new Map() })
})

test('keeps what another tab has saved on the screen, with the IDs of what it has added', () => {
  const { store } = fakeStore(() => new Response())
  const [add, edit, dropped] = [change(1, -1), change(-1, -2), change(2, -3)]
  store.set(showOutboxAtom, { list: [add, edit, dropped], saved: new Map() })
  store.set(showOutboxAtom, { list: [edit], saved: new Map([[-1, { item: 7 }]]) })
  expect(store.get(sentAtom)).toMatchObject([{ change: add, ids: [{ item: 7 }] }])
  expect(store.get(waitingAtom)).toMatchObject([{ input: { row_id: 7 } }])
})
