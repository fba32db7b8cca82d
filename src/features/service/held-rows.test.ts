// @vitest-environment jsdom
import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Task } from './api.ts'
import { holdAtom, inPlaceAtom, heldAtom } from './held-rows.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

const tasks = (ids: string) =>
  Array.from(ids, (id) => ({ id: Number(id), group: null as number | null }) as Task)
const after = { undo: () => undefined, edit: () => undefined }

test('holds the rows of done tasks in place until five seconds after the last one', () => {
  const store = createStore()
  const shown = (ids: string) =>
    store
      .get(inPlaceAtom)(tasks(ids))
      .map(({ id }) => id)
      .join('')
  const hold = (id: number, place: number) => store.set(holdAtom, { id, place, was: 'due', day: null, after })

  hold(1, 0)
  // Done tasks aren't due until later, so they come last.
  expect(shown('2341')).toBe('1234')
  vi.advanceTimersByTime(4000)
  hold(3, 2)
  expect(shown('2413')).toBe('1234')
  vi.advanceTimersByTime(4000)
  expect(shown('2413')).toBe('1234')
  expect([...store.get(heldAtom).keys()]).toEqual([1, 3])

  vi.advanceTimersByTime(1000)
  expect(shown('2413')).toBe('2413')
})

test('holds a row for as long as it has the focus', () => {
  const store = createStore()
  document.body.innerHTML = '<ul><li data-task="7"><button>Undo</button></li></ul>'
  const button = document.querySelector('button')!
  button.focus()
  store.set(holdAtom, { id: 7, place: 0, was: 'due', day: null, after })
  store.set(holdAtom, { id: 8, place: 1, was: 'due', day: null, after })
  vi.advanceTimersByTime(20_000)
  expect([...store.get(heldAtom).keys()]).toEqual([7])
  button.blur()
  vi.advanceTimersByTime(1000)
  expect(store.get(heldAtom).size).toBe(0)
})
