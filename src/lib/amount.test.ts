import { expect, test } from 'vitest'

import { addAmounts, parseAmount } from './amount.ts'

test.each([
  ['45', 45],
  [' 45 ', 45],
  ['007', 7],
  ['45.5', 45.5],
  ['45.50', 45.5],
  ['.9', 0.9],
  ['12.', 12],
  ['-5', -5],
  ['+7', 7],
  ['-0', 0],
  ['$45', 45],
  ['-$5', -5],
  ['$-5', -5],
  ['$ 45', 45],
  ['1,234', 1234],
  ['$1,234.56', 1234.56],
  ['-1,234,567.89', -1234567.89],
  ['1 000', 1000],
  ['1\u00A0234\u00A0567', 1234567],
])('parses %j as %d', (text, amount) => {
  expect(Object.is(parseAmount(text), amount)).toBe(true)
})

test.each([
  '',
  '$',
  '-',
  '.',
  'abc',
  // Decimal commas and misplaced commas.
  '45,50',
  '1.234,50',
  '1,23',
  '1,2345',
  '1234,567',
  '0,500',
  ',500',
  '1,234 567',
  // Points as thousands separators, and more than two decimals.
  '1.200',
  '45.999',
  '1.2.3',
  '45.5000',
  '1 2 3',
  '12abc',
  '05. Okt',
  '1e9',
  '0x10',
  '(5.00)',
  '−5',
  '٤٥',
  'Infinity',
])('does not parse %j', (text) => {
  expect(parseAmount(text)).toBeNull()
})

test('adds amounts to the cent, refunds included', () => {
  expect(addAmounts([])).toBe(0)
  expect(addAmounts([0.1, 0.2])).toBe(0.3)
  expect(addAmounts([1234, -34.5])).toBe(1199.5)
})
