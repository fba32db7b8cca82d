import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

const css = readFileSync('src/app/styles/tokens.css', 'utf8')
const [printTokens, tokens] = tokensIn(css)

function tokensIn(css: string): [Map<string, string>, Map<string, string>] {
  const found = [...css.matchAll(/--([\w-]+):\s*(?:light-dark\((#[\da-f]+), )?(#[\da-f]{6})\)?;/g)]
  return [
    new Map(found.map(([, name = '', paper, screen = '']) => [name, paper ?? screen])),
    new Map(found.map(([, name = '', , screen = '']) => [name, screen])),
  ]
}

const GROUNDS = ['ground', 'surface', 'surface-raised', 'surface-hover', 'field', 'danger-surface']
const TYPES = [...tokens.keys()].filter((name) => name.startsWith('type-'))

/** Red, green and blue from 0 to 1. */
type Color = number[]

function color(name: string): Color {
  return parseHex(tokens.get(name) ?? '')
}

function parseHex(hex: string): Color {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
}

/** Computes the WCAG 2 contrast of two colors or tokens. */
function contrast(...colors: [Color | string, Color | string]): number {
  const luminances = colors.map((one) => luminance(typeof one === 'string' ? color(one) : one))
  const [light = 0, dark = 0] = luminances.toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(given: Color): number {
  const [red = 0, green = 0, blue = 0] = given.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const FADED = Number(/--faded:\s*([\d.]+);/.exec(css)?.[1])

function faded(name: string, ground: string): Color {
  const under = color(ground)
  return color(name).map((channel, at) => channel * FADED + under[at]! * (1 - FADED))
}

test('each of the eight types has its own color', () => {
  expect(TYPES).toHaveLength(8)
  expect(new Set(TYPES.map((type) => tokens.get(type))).size).toBe(8)
})

describe.each(GROUNDS)('on %s', (ground) => {
  test.each([...TYPES, 'ink', 'ink-soft', 'danger-ink', 'warn-ink', 'accent-ink'])(
    '%s is readable (4.5:1)',
    (ink) => {
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5)
    },
  )
})

test.each([...TYPES, 'ink', 'ink-soft', 'danger-ink', 'warn-ink', 'accent-ink'])(
  '%s is readable on paper (4.5:1)',
  (ink) => {
    expect(contrast(parseHex(printTokens.get(ink) ?? ''), [1, 1, 1])).toBeGreaterThanOrEqual(4.5)
  },
)

test('text on the accent is readable (4.5:1)', () => {
  expect(contrast('on-accent', 'accent')).toBeGreaterThanOrEqual(4.5)
})

test('faded text is readable (4.5:1)', () => {
  expect(contrast(faded('ink-soft', 'ground'), 'ground')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(faded('ink', 'surface'), 'surface')).toBeGreaterThanOrEqual(4.5)
  const onAccent = contrast(faded('on-accent', 'danger-surface'), faded('accent', 'danger-surface'))
  expect(onAccent).toBeGreaterThanOrEqual(4.5)
})

test.each(['ground', 'surface', 'surface-raised', 'field'])(
  'field borders are visible on %s (3:1)',
  (ground) => {
    expect(contrast('field-line', ground)).toBeGreaterThanOrEqual(3)
  },
)

test.each(GROUNDS)('the focus ring is visible on %s (3:1)', (ground) => {
  expect(contrast('focus', ground)).toBeGreaterThanOrEqual(3)
})
