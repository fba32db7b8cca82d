import fc from 'fast-check'
import { expect, test } from 'vitest'

import { type CsvValue, toCsv, unescapeFormulas } from './csv.ts'

const cell = (value: CsvValue) => toCsv(['Name'], [[value]]).slice('\uFEFFName\r\n'.length, -2)

test('starts with a byte order mark and ends every row with CRLF', () => {
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
  [-12.5, '-12.5'],
  [0, '0'],
  // Formulas are escaped before quoting.
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
])('writes %j as %j', (value, expected) => {
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
])('escapes formulas in %j for every delimiter', (text, escaped) => {
  expect(cell(text)).toBe(/[;"\s]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped)
})

test('unescaping restores any text, including its apostrophes', () => {
  const texts = fc.string({ unit: fc.constantFrom("'", '=', '-', '\t', 'a', ' ', ';', '"', '\n', '\r') })
  fc.assert(
    fc.property(texts, (text) => {
      const written = cell(text)
      const read = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written
      expect(unescapeFormulas(read)).toBe(text)
      expect(read).not.toMatch(/^[=+\-@\t\r\n]/)
      for (const part of read.split(/[;\t\r\n]/)) expect(part.replace(/^"+/, '')).not.toMatch(/^[=+\-@]/)
    }),
  )
})
