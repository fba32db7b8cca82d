import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'

import { cellKey, cellOf, clearAtom, leaveAtom, restoreAtom, typeAtom } from './cell.ts'
import type { Draft } from './draft-storage.ts'
import { discardDraftsAtom, draftAtom, hasDraftsAtom } from './drafts.ts'
import { ITEM, setUpLog } from './fake-log.ts'
import { logAtom } from './log.ts'
import { orphansAtom } from './orphans.ts'

const owner = vi.hoisted(() => ({ id: 'ann' }))
vi.mock('../session', async () => {
  const { atom } = await import('jotai')
  return { ownerIdAtom: atom(() => owner.id) }
})

beforeEach(() => {
  sessionStorage.clear()
  owner.id = 'ann'
})

const key = cellKey(ITEM, 'name')

test('a draft is there again after the page was loaded anew', () => {
  createStore().set(typeAtom, ITEM, 'name', 'half a na')
  const anew = createStore()
  anew.sub(draftAtom(key), () => undefined)
  expect(anew.get(draftAtom(key))).toEqual({ text: 'half a na', base: 'Chain', itemName: 'Chain' })
})

test('with site data blocked, drafts live in memory', () => {
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

test('drafts are their owner’s alone', () => {
  createStore().set(typeAtom, ITEM, 'name', 'mine')
  owner.id = 'bob'
  const store = createStore()
  expect(store.get(draftAtom(key))).toBeNull()
  expect(store.set(hasDraftsAtom)).toBe(false)
})

test('restoring takes the draft away, here and in the store of the tab', () => {
  const store = createStore()
  store.set(typeAtom, ITEM, 'name', 'x')
  store.set(restoreAtom, ITEM, 'name')
  expect(store.get(draftAtom(key))).toBeNull()
  expect(sessionStorage).toHaveLength(0)
})

test('leaving a cell keeps a change, and drops blanks that mean none', () => {
  const store = createStore()
  store.set(typeAtom, ITEM, 'name', 'Chain  ')
  store.set(leaveAtom, ITEM, 'name')
  expect(store.get(draftAtom(key))).toBeNull()
  store.set(typeAtom, ITEM, 'name', 'Chains')
  store.set(leaveAtom, ITEM, 'name')
  expect(store.get(draftAtom(key))?.text).toBe('Chains')
})

test('discarding leaves none of the owner’s drafts, and others alone', () => {
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
  expect(sessionStorage).toHaveLength(1)
})

test('a stored draft that is none is as good as absent', () => {
  sessionStorage.setItem(`draft/ann/${key}`, '{"text":7}')
  expect(createStore().get(draftAtom(key))).toBeNull()
})

test('a value that changed under a draft is shown beside it', () => {
  const draft = { text: 'mine', base: 'Chain' }
  const theirs = { ...ITEM, name: 'theirs' }
  expect(cellOf(ITEM, 'name', draft, null).changedTo).toBeNull()
  expect(cellOf(theirs, 'name', draft, null)).toMatchObject({ text: 'mine', changedTo: 'theirs' })
  expect(cellOf({ ...ITEM, name: 'mine' }, 'name', draft, null)).toMatchObject({
    verdict: { status: 'clean' },
    changedTo: null,
  })
})

const verdictOf = (draft: Draft, item = ITEM) => cellOf(item, 'description', draft, null).verdict

test('a cleared value is a change that can be saved, and an emptied one is not', () => {
  expect(verdictOf({ text: '', base: 'KMC' }).status).toBe('invalid')
  expect(verdictOf({ text: '', base: 'KMC', isCleared: true })).toMatchObject({
    status: 'dirty',
    value: null,
  })
  expect(verdictOf({ text: '', base: '', isCleared: true }, { ...ITEM, description: null }).status).toBe(
    'clean',
  )
})

test('drafts of a deleted item know its name', async () => {
  const { store, log } = setUpLog()
  await vi.waitFor(() => expect(store.get(logAtom(7)).state).toBe('ready'))
  store.set(typeAtom, ITEM, 'cost', '50')
  store.set(clearAtom, ITEM, 'description')
  log.length = 0
  await store.set(logAtom(7))
  const typed = [
    { field: 'description', draft: { text: '', base: 'KMC', itemName: 'Chain', isCleared: true } },
    { field: 'cost', draft: { text: '50', base: '$45.00', itemName: 'Chain' } },
  ]
  expect(store.get(orphansAtom(7))).toEqual([{ record: 1, typed }])
})
