// @vitest-environment jsdom
import { expect, test } from 'vitest'

import { recordToasts } from '../../../components/record-toasts.ts'
import { cellKey, typeAtom } from '../../entries/cell.ts'
import { draftAtom } from '../../entries/drafts.ts'
import { ITEM } from '../../entries/fake-item.ts'
import { setUpLog } from '../../entries/fake-log.ts'
import { deleteItemAtom } from './DeleteItem.tsx'

const toasts = recordToasts()

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
