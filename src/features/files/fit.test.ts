import { expect, test } from 'vitest'

import { fitted, MAX_SCALE, WHOLE, within, zoomed } from './fit.ts'

test.each([
  [
    { width: 4032, height: 3024 },
    { width: 2048, height: 1536 },
  ],
  [
    { width: 3024, height: 4032 },
    { width: 1536, height: 2048 },
  ],
  [
    { width: 800, height: 600 },
    { width: 800, height: 600 },
  ],
  [
    { width: 10_000, height: 1 },
    { width: 2048, height: 1 },
  ],
])('makes %o fit', (size, expected) => {
  expect(fitted(size, 2048)).toEqual(expected)
})

test('zooms around a point, and back to the whole picture', () => {
  const at = { x: 100, y: -50 }
  const twice = zoomed(WHOLE, 2, at)
  expect(twice).toEqual({ scale: 2, x: -100, y: 50 })
  expect(zoomed(twice, 0.5, at)).toEqual(WHOLE)
  expect(zoomed(WHOLE, 100).scale).toBe(MAX_SCALE)
  expect(zoomed(twice, 0.01).scale).toBe(1)
})

test('a picture never leaves its frame', () => {
  const [picture, frame] = [
    { width: 400, height: 300 },
    { width: 400, height: 600 },
  ]
  expect(within({ scale: 1, x: 50, y: 50 }, picture, frame)).toEqual(WHOLE)
  expect(within({ scale: 2, x: 500, y: -500 }, picture, frame)).toEqual({ scale: 2, x: 200, y: 0 })
  expect(within({ scale: 4, x: -50, y: -500 }, picture, frame)).toEqual({ scale: 4, x: -50, y: -300 })
})
