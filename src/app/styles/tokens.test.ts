import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

const css = readFileSync('src/app/styles/tokens.css', 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*(#[\da-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
)

const GROUNDS = ['ground', 'surface', 'surface-raised', 'surface-hover', 'field', 'danger-surface']
const TYPES = [...tokens.keys()].filter((name) => name.startsWith('type-'))

/** A colour's red, green and blue, from 0 to 1. */
type Colour = number[]

function colour(name: string): Colour {
  const hex = tokens.get(name) ?? ''
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
}

/** WCAG 2's contrast of two colours, given or named. */
function contrast(...colours: [Colour | string, Colour | string]): number {
  const luminances = colours.map((one) => luminance(typeof one === 'string' ? colour(one) : one))
  const [light = 0, dark = 0] = luminances.toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(given: Colour): number {
  const [red = 0, green = 0, blue = 0] = given.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const FADED = Number(/--faded:\s*([\d.]+);/.exec(css)?.[1])

/** A colour as it looks on a ground when it is faded. */
function faded(name: string, ground: string): Colour {
  const under = colour(ground)
  return colour(name).map((channel, at) => channel * FADED + under[at]! * (1 - FADED))
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

test('what is read or saved anew can still be read (4.5:1)', () => {
  expect(contrast(faded('ink-soft', 'ground'), 'ground')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(faded('ink', 'surface'), 'surface')).toBeGreaterThanOrEqual(4.5)
  const onAccent = contrast(faded('on-accent', 'danger-surface'), faded('accent', 'danger-surface'))
  expect(onAccent).toBeGreaterThanOrEqual(4.5)
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
