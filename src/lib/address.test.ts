// @vitest-environment jsdom
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'

import { addressAtom } from './address.ts'

beforeEach(() => window.history.replaceState(null, '', '/#bike=7&tab=rides'))

test('reads the fragment on first use', () => {
  expect(createStore().get(addressAtom)).toEqual({ bike: '7', tab: 'rides' })
})

test('a change keeps the other parameters', () => {
  const store = createStore()
  store.set(addressAtom, { set: { bike: '8', tab: null }, by: 'push' })
  expect(window.location.hash).toBe('#bike=8')
  store.set(addressAtom, { set: { bike: null }, by: 'replace' })
  expect(window.location.href).not.toContain('#')
})

test('writes a parameter without a value as its name', () => {
  const store = createStore()
  store.set(addressAtom, { set: { garage: '', tab: 'a=b' }, by: 'push' })
  expect(window.location.hash).toBe('#bike=7&tab=a%3Db&garage')
  expect(store.get(addressAtom)).toEqual({ bike: '7', tab: 'a=b', garage: '' })
  store.set(addressAtom, { set: { item: '1' }, by: 'push' })
  expect(window.location.hash).toBe('#bike=7&tab=a%3Db&garage&item=1')
})

test('only a pushed change adds a history entry', () => {
  const store = createStore()
  const before = window.history.length
  store.set(addressAtom, { set: { from: '2024-01-01' }, by: 'replace' })
  expect(window.history.length).toBe(before)
  store.set(addressAtom, { set: { bike: '9' }, by: 'push' })
  store.set(addressAtom, { set: { bike: '9' }, by: 'push' })
  expect(window.history.length).toBe(before + 1)
})

test('follows Back', () => {
  const store = createStore()
  store.sub(addressAtom, () => undefined)
  window.history.replaceState(null, '', '#bike=1')
  window.dispatchEvent(new PopStateEvent('popstate'))
  expect(store.get(addressAtom)).toEqual({ bike: '1' })
})
