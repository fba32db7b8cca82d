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
  ['a; b', '"a; b"'],
  ['a\tb', '"a\tb"'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['Zürich 🚲', 'Zürich 🚲'],
  ['', ''],
  [null, ''],
])('%j is written as %j', (value, expected) => {
  expect(cell(value)).toBe(expected)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['"=1', `"'=1`],
  ['a;=1+1', "a;'=1+1"],
  ['a;"=1+1"', `a;"'=1+1"`],
  ['a\t@x;-y\n+z', "a\t'@x;'-y\n'+z"],
])('no part of %j is a formula, whichever delimiter the spreadsheet expects', (text, defused) => {
  expect(cell(text)).toBe(/[;"\s]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused)
})

test('text is defused before it is quoted', () => {
  expect(cell('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`)
})

test('numbers stay numbers, negative ones too', () => {
  expect([cell(-12.5), cell(0)]).toEqual(['-12.5', '0'])
})

test('removing the protection restores the text, whatever apostrophes it had', () => {
  const texts = fc.string({ unit: fc.constantFrom("'", '=', '-', '\t', 'a', ' ', ';', '"', '\n', '\r') })
  fc.assert(
    fc.property(texts, (text) => {
      const written = cell(text)
      const read = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written
      expect(withoutProtection(read)).toBe(text)
      expect(read).not.toMatch(/^[=+\-@\t\r\n]/)
      for (const part of read.split(/[;\t\r\n]/)) expect(part.replace(/^"+/, '')).not.toMatch(/^[=+\-@]/)
    }),
  )
})
