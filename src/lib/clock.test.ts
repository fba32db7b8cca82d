// @vitest-environment jsdom
import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { msToQuarter, todayAtom } from './clock.ts'
import { knownZoneAtom } from './time-zone.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('the day changes at each local midnight', () => {
  vi.setSystemTime(new Date(2026, 10, 20, 23, 59, 59))
  const store = createStore()
  const stop = store.sub(todayAtom, () => undefined)
  expect(store.get(todayAtom)).toBe('2026-11-20')
  vi.advanceTimersByTime(1001)
  expect(store.get(todayAtom)).toBe('2026-11-21')
  vi.advanceTimersByTime(24 * 3_600_000)
  expect(store.get(todayAtom)).toBe('2026-11-22')
  stop()
})

test('updates the day when the tab becomes visible', () => {
  vi.setSystemTime(new Date(2026, 10, 20, 12))
  const store = createStore()
  const stop = store.sub(todayAtom, () => undefined)
  vi.setSystemTime(new Date(2026, 10, 21, 8))
  document.dispatchEvent(new Event('visibilitychange'))
  expect(store.get(todayAtom)).toBe('2026-11-21')
  stop()
})

test('stops its timer when unmounted', () => {
  const store = createStore()
  store.sub(todayAtom, () => undefined)()
  expect(vi.getTimerCount()).toBe(0)
})

test('is the owner’s day, which changes at the owner’s midnight', () => {
  vi.setSystemTime(new Date('2026-11-20T10:59:59Z'))
  const store = createStore()
  store.set(knownZoneAtom, 'Pacific/Auckland')
  const stop = store.sub(todayAtom, () => undefined)
  expect(store.get(todayAtom)).toBe('2026-11-20')
  vi.advanceTimersByTime(1001)
  expect(store.get(todayAtom)).toBe('2026-11-21')
  store.set(knownZoneAtom, 'America/Los_Angeles')
  expect(store.get(todayAtom)).toBe('2026-11-20')
  stop()
  store.set(knownZoneAtom, '')
})

test('waits until one millisecond after the next quarter of an hour', () => {
  expect(msToQuarter(Date.UTC(2026, 10, 20, 23, 59, 59, 999))).toBe(2)
  expect(msToQuarter(Date.UTC(2026, 10, 20, 18, 15))).toBe(900_001)
})
