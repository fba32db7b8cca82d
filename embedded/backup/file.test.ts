import { expect, test } from 'vitest'
import { describe } from './file.ts'

test('says what a backup has, with the photos and receipts that are in it', () => {
  const rows: [string, number][] = [
    ['bikes', 2],
    ['maintenance', 12],
    ['rides', 300],
  ]
  const text = '2 bikes, 12 log entries, 300 rides'
  expect(describe({ tables: new Map(rows) })).toBe(text)
  expect(describe({ tables: new Map([...rows, ['entry_files', 5]]) })).toBe(`${text}, 5 photos and receipts`)
})
