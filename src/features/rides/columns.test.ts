// @vitest-environment jsdom
import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { cardColumns, MAX_WIDTH, resetColumnsAtom, sizingAtom, visibilityAtom } from './columns.tsx'

function openPage() {
  const store = createStore()
  store.sub(visibilityAtom, () => undefined)
  return {
    shown: () => ({ visibility: store.get(visibilityAtom), sizing: store.get(sizingAtom) }),
    hide: (id: string) => store.set(visibilityAtom, (old) => ({ ...old, [id]: false })),
    resize: (id: string, width: number) => store.set(sizingAtom, (old) => ({ ...old, [id]: width })),
    reset: () => store.set(resetColumnsAtom),
  }
}

const INITIAL = { visibility: { date: false }, sizing: {} }

test.each([
  'no JSON',
  '{"visibility":3}',
  '{"visibility":{},"sizing":{"name":-5}}',
  '{"visibility":{"gear":"no"},"sizing":{}}',
])('ignores the stored columns %s', (stored) => {
  localStorage.setItem('rides-columns', stored)
  expect(openPage().shown()).toEqual(INITIAL)
})

test('remembers hidden columns and widths until they are reset', () => {
  const page = openPage()
  page.hide('gear')
  page.resize('name', 10_000)
  const changed = { visibility: { date: false, gear: false }, sizing: { name: MAX_WIDTH } }
  expect(openPage().shown()).toEqual(changed)
  page.reset()
  expect(openPage().shown()).toEqual(INITIAL)
})

test.each([
  ['name', 'elevation_gain'],
  ['distance', 'elevation_gain'],
  ['max_hr', 'max_hr'],
] as const)('a card sorted by %s ends with %s', (sortKey, last) => {
  expect(cardColumns(sortKey)).toEqual(['distance', 'moving_time', 'avg_speed', last])
})
