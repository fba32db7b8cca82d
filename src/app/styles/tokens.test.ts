import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

const css = readFileSync('src/app/styles/tokens.css', 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*(#[\da-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
)

const GROUNDS = ['ground', 'surface', 'surface-raised', 'surface-hover', 'field', 'danger-surface']
const TYPES = [...tokens.keys()].filter((name) => name.startsWith('type-'))

/** WCAG 2's contrast of two colours. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(name: string): number {
  const hex = tokens.get(name) ?? ''
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('each of the eight types has a colour of its own', () => {
  expect(TYPES).toHaveLength(8)
  expect(new Set(TYPES.map((type) => tokens.get(type))).size).toBe(8)
})

describe.each(GROUNDS)('on %s', (ground) => {
  test.each([...TYPES, 'ink', 'ink-soft', 'danger-ink', 'warn-ink', 'accent-ink'])(
    '%s can be read (4.5:1)',
    (ink) => {
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5)
    },
  )
})

test('what stands on the accent can be read (4.5:1)', () => {
  expect(contrast('on-accent', 'accent')).toBeGreaterThanOrEqual(4.5)
})

test.each(['ground', 'surface', 'surface-raised', 'field'])(
  'the edge of a field stands out from %s (3:1)',
  (ground) => {
    expect(contrast('field-line', ground)).toBeGreaterThanOrEqual(3)
  },
)

test.each(GROUNDS)('the focus ring stands out from %s (3:1)', (ground) => {
  expect(contrast('focus', ground)).toBeGreaterThanOrEqual(3)
})
