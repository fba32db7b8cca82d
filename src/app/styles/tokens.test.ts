import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const css = readFileSync('src/app/styles/tokens.css', 'utf8')

/** Red, green and blue from 0 to 1. */
type Color = number[]

const WHITE: Color = [1, 1, 1]

const parseHex = (hex: string): Color =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

const found = [...css.matchAll(/--([\w-]+):\s*(?:light-dark\((#[\da-f]+), )?(#[\da-f]{6})\)?;/g)]
const screen = new Map(found.map(([, name, , dark = '']) => [name, parseHex(dark)]))
const paper = new Map(found.map(([, name, light, dark = '']) => [name, parseHex(light ?? dark)]))
const color = (name: string): Color => screen.get(name)!

const GROUNDS = ['ground', 'surface', 'surface-raised', 'surface-hover', 'field', 'danger-surface']
const TYPES = found.map(([, name = '']) => name).filter((name) => name.startsWith('type-'))
const INKS = [...TYPES, 'ink', 'ink-soft', 'danger-ink', 'warn-ink', 'accent-ink']

/** Computes the WCAG 2 contrast of two colors. */
function contrast(one: Color, other: Color): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
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
  expect(new Set(TYPES.map((type) => color(type).join()))).toHaveLength(8)
})

test.each(GROUNDS)('on %s, text is readable (4.5:1) and the focus ring visible (3:1)', (ground) => {
  expect(INKS.filter((ink) => contrast(color(ink), color(ground)) < 4.5)).toEqual([])
  expect(contrast(color('focus'), color(ground))).toBeGreaterThanOrEqual(3)
})

test('text is readable on paper (4.5:1)', () => {
  expect(INKS.filter((ink) => contrast(paper.get(ink)!, WHITE) < 4.5)).toEqual([])
})

test.each([
  ['text on the accent', color('on-accent'), color('accent')],
  ['faded soft text', faded('ink-soft', 'ground'), color('ground')],
  ['faded text', faded('ink', 'surface'), color('surface')],
  ['faded text on the accent', faded('on-accent', 'danger-surface'), faded('accent', 'danger-surface')],
])('%s is readable (4.5:1)', (_, ink, ground) => {
  expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5)
})

test.each(['ground', 'surface', 'surface-raised', 'field'])(
  'field borders are visible on %s (3:1)',
  (ground) => {
    expect(contrast(color('field-line'), color(ground))).toBeGreaterThanOrEqual(3)
  },
)
