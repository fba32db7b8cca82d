// @vitest-environment jsdom
import { atom, createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'

import { GERMAN, US } from '../../lib/fake-formats.ts'
import * as session from '../session/atoms.ts'
import { cellKey, cellOf, clearAtom, leaveAtom, restoreAtom, typeAtom } from './cell.ts'
import { discardDraftsAtom, type Draft, draftAtom, hasDraftsAtom, orphanDraftsAtom } from './drafts.ts'
import { ITEM } from './fake-item.ts'
import { setUpLog } from './fake-log.ts'
import { logAtom } from './log.ts'

const owner = { id: 'ann' }

beforeEach(() => {
  owner.id = 'ann'
  vi.spyOn(session, 'ownerIdAtom', 'get').mockReturnValue(atom(() => owner.id))
})

const key = cellKey(ITEM, 'name')

test('keeps drafts in memory when site data is blocked', () => {
  vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  })
  const store = createStore()
  store.set(typeAtom, ITEM, 'name', 'half a na')
  expect(store.get(draftAtom(key))?.text).toBe('half a na')
  expect(store.set(hasDraftsAtom)).toBe(true)
  store.set(discardDraftsAtom, 'ann')
  expect(store.set(hasDraftsAtom)).toBe(false)
})

test('does not show drafts to another owner', () => {
  createStore().set(typeAtom, ITEM, 'name', 'mine')
  owner.id = 'bob'
  const store = createStore()
  expect(store.get(draftAtom(key))).toBeNull()
  expect(store.set(hasDraftsAtom)).toBe(false)
})

test('restoring removes the draft from memory and storage', () => {
  const store = createStore()
  store.set(typeAtom, ITEM, 'name', 'x')
  store.set(restoreAtom, ITEM, 'name')
  expect(store.get(draftAtom(key))).toBeNull()
  expect(sessionStorage).toHaveLength(0)
})

test('leaving a cell keeps a change and drops a draft that only adds spaces', () => {
  const store = createStore()
  store.set(typeAtom, ITEM, 'name', 'Chain  ')
  store.set(leaveAtom, ITEM, 'name')
  expect(store.get(draftAtom(key))).toBeNull()
  store.set(typeAtom, ITEM, 'name', 'Chains')
  store.set(leaveAtom, ITEM, 'name')
  expect(store.get(draftAtom(key))?.text).toBe('Chains')
})

test('discarding removes only the owner’s drafts', () => {
  owner.id = 'bob'
  createStore().set(typeAtom, ITEM, 'name', 'theirs')
  owner.id = 'ann'
  const store = createStore()
  store.set(typeAtom, ITEM, 'name', 'mine')
  store.set(typeAtom, ITEM, 'cost', '7')
  expect(store.set(hasDraftsAtom)).toBe(true)
  store.set(discardDraftsAtom, 'ann')
  expect(store.set(hasDraftsAtom)).toBe(false)
  expect(store.get(draftAtom(key))).toBeNull()
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft/'))).toHaveLength(1)
})

test('a tab that was suspended during a sign-out discards its drafts when it returns', () => {
  const store = createStore()
  const stop = store.sub(draftAtom(key), () => undefined)
  store.set(typeAtom, ITEM, 'name', 'mine')
  localStorage.setItem('drafts-discarded/bob', 'by another tab')
  window.dispatchEvent(new Event('pageshow'))
  expect(store.get(draftAtom(key))?.text).toBe('mine')
  localStorage.setItem('drafts-discarded/ann', 'by another tab')
  window.dispatchEvent(new Event('pageshow'))
  expect([store.get(draftAtom(key)), store.set(hasDraftsAtom)]).toEqual([null, false])
  expect(JSON.stringify(sessionStorage)).not.toContain('mine')

  store.set(typeAtom, ITEM, 'name', 'typed later')
  window.dispatchEvent(new Event('pageshow'))
  expect(store.get(draftAtom(key))?.text).toBe('typed later')
  stop()
})

test('ignores a malformed stored draft', () => {
  sessionStorage.setItem(`draft/ann/${key}`, '{"text":7}')
  expect(createStore().get(draftAtom(key))).toBeNull()
})

const stateOf = (draft: Draft, item = ITEM) => cellOf(item, 'description', draft, null, US).state

test('a cleared description can be saved and an emptied one can’t', () => {
  expect(stateOf({ text: '', base: 'KMC' }).status).toBe('invalid')
  expect(stateOf({ text: '', base: 'KMC', isCleared: true })).toMatchObject({
    status: 'dirty',
    value: null,
  })
  expect(stateOf({ text: '', base: '', isCleared: true }, { ...ITEM, description: null }).status).toBe(
    'clean',
  )
})

test('keeps the drafts and the name of a deleted item', async () => {
  const { store, log } = setUpLog()
  await expect.poll(() => store.get(logAtom(7)).state).toBe('ready')
  store.set(typeAtom, ITEM, 'cost', '50')
  store.set(clearAtom, ITEM, 'description')
  log.length = 0
  await store.set(logAtom(7).reloadAtom)
  const drafts = [
    { field: 'description', draft: { text: '', base: 'KMC', itemName: 'Chain', isCleared: true } },
    { field: 'cost', draft: { text: '50', base: '$45.00', itemName: 'Chain' } },
  ]
  expect(store.get(orphanDraftsAtom(7))).toEqual([{ itemId: 1, drafts }])
})

test('a typed date keeps its day, and no other value seems changed, when the settings change', () => {
  const [store, dateKey, costKey] = [createStore(), cellKey(ITEM, 'dateStarted'), cellKey(ITEM, 'cost')]
  store.set(typeAtom, ITEM, 'dateStarted', '11/10/2023')
  store.set(typeAtom, ITEM, 'cost', '50')

  localStorage.setItem('settings', JSON.stringify(GERMAN.settings))
  const reloaded = createStore()
  for (const one of [dateKey, costKey]) reloaded.sub(draftAtom(one), () => undefined)
  const cell = (field: 'dateStarted' | 'cost', key: string) =>
    cellOf(ITEM, field, reloaded.get(draftAtom(key)), null, GERMAN)
  expect(cell('dateStarted', dateKey)).toMatchObject({
    text: '10.11.2023',
    state: { status: 'dirty', value: '2023-11-10 01:00:00' },
    changedTo: null,
  })
  expect(cell('cost', costKey)).toMatchObject({ state: { status: 'dirty', value: 50 }, changedTo: null })
  reloaded.set(typeAtom, ITEM, 'dateStarted', '9.11.2023')
  expect(reloaded.get(draftAtom(dateKey))?.text).toBe('9.11.2023')
})
