import { beforeEach, expect, test, vi } from 'vitest'

import { browserStorage } from './preference.ts'

beforeEach(() => sessionStorage.clear())

const blocked = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}

test('stores values in the browser', () => {
  const storage = browserStorage(() => sessionStorage)
  storage.setItem('a', '1')
  expect(sessionStorage.getItem('a')).toBe('1')
  sessionStorage.setItem('b', '2')
  expect([storage.getItem('b'), storage.keys()]).toEqual(['2', ['a', 'b']])
  storage.removeItem('a')
  expect([storage.getItem('a'), sessionStorage.length]).toEqual([null, 1])
})

test('keeps values in memory when site data is blocked', () => {
  const storage = browserStorage(blocked)
  expect([storage.getItem('a'), storage.keys()]).toEqual([null, []])
  storage.setItem('a', '1')
  expect([storage.getItem('a'), storage.keys()]).toEqual(['1', ['a']])
  storage.removeItem('a')
  expect([storage.getItem('a'), storage.keys()]).toEqual([null, []])
})

test('keeps a new value in memory when browser storage is full', () => {
  const storage = browserStorage(() => sessionStorage)
  storage.setItem('a', 'old')
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked)
  storage.setItem('a', 'new')
  expect([storage.getItem('a'), sessionStorage.getItem('a'), storage.keys()]).toEqual(['new', 'old', ['a']])
  storage.forgetUnwritten('a')
  expect(storage.getItem('a')).toBe('old')
})
