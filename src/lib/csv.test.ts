import fc from 'fast-check'
import { expect, test } from 'vitest'

import { type CsvValue, toCsv, withoutProtection } from './csv.ts'

const cell = (value: CsvValue) => toCsv(['Name'], [[value]]).slice('\uFEFFName\r\n'.length, -2)

test('a file begins with a byte order mark, and every row ends as RFC 4180 says', () => {
  expect(toCsv(['Name', 'Cost'], [['Chain', 45.5]])).toBe('\uFEFFName,Cost\r\nChain,45.5\r\n')
})

test.each([
  ['a, b', '"a, b"'],
  ['5" travel', '"5"" travel"'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['Zürich 🚲', 'Zürich 🚲'],
  ['', ''],
  [null, ''],
])('%j is written as %j', (value, expected) => {
  expect(cell(value)).toBe(expected)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'text that begins like %j is no formula',
  (text) => {
    expect(cell(text).replaceAll('"', '')).toBe(`'${text}`)
  },
)

test('text is made harmless before it is quoted', () => {
  expect(cell('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`)
})

test('numbers stay numbers, negative ones too', () => {
  expect([cell(-12.5), cell(0)]).toEqual(['-12.5', '0'])
})

test('text that was made harmless reads again as it was, also where it had an apostrophe of its own', () => {
  const starts = fc.string({ unit: fc.constantFrom("'", '=', '-', '\t', 'a', ' ') })
  fc.assert(
    fc.property(starts, (text) => {
      const written = cell(text)
      const read = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written
      expect(withoutProtection(read)).toBe(text)
      expect(read).not.toMatch(/^[=+\-@\t\r\n]/)
    }),
  )
})
