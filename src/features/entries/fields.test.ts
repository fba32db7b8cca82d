import { describe, expect, test } from 'vitest'

import { TYPES } from '../../../supabase/functions/_shared/limits.ts'
import { LINKS, NOT_LINKS } from '../../../tests/links.ts'
import { US } from '../../lib/fake-formats.ts'
import {
  type Field,
  FIELD_NAMES,
  FIELDS,
  isWork,
  parse,
  phaseOf,
  stateOf,
  validate,
  type Values,
} from './fields.ts'

const OPEN = { dateStarted: '2024-01-10T01:00:00', dateEnded: null }
const CLOSED = { dateStarted: '2024-01-10T01:00:00', dateEnded: '2024-02-10T01:00:00' }

const value = (field: Field, text: string, others = OPEN as typeof OPEN | typeof CLOSED) => {
  const parsed = parse(field, text, { formats: US })
  const message = 'value' in parsed ? validate(field, parsed.value, others, US) : parsed.message
  return 'value' in parsed && message === null ? parsed.value : `error: ${message}`
}

describe('a cost', () => {
  test.each([
    ['45', 45],
    ['12.99', 12],
    ['-12.99', -12],
    ['$1,234.56', 1234],
    [' 1 000 ', 1000],
    ['.9', 0],
    ['-0.5', 0],
    ['abc', 0],
    ['$', 0],
    ['Infinity', 0],
    ['9,999,999.99', 9_999_999],
    ['-9999999', -9_999_999],
  ])('parses %j as %d', (text, cost) => {
    expect(Object.is(value('cost', text), cost)).toBe(true)
  })

  test.each(['0,500', '1.200', '1,2,3', '1.23,45', '1e9', '12abc', '1.2.3', '0x10', '(5)', '٤٥'])(
    'rejects %s',
    (text) => {
      expect(value('cost', text)).toBe('error: Enter an amount such as 45 or 1,234.')
    },
  )

  test.each(['10000000', '-10000000', '9'.repeat(400)])('rejects %s', (text) => {
    expect(value('cost', text)).toBe('error: Enter at most $9,999,999.')
  })

  test('rejects an empty text', () => {
    expect(value('cost', '  ')).toBe('error: Enter a value.')
  })
})

describe('a text', () => {
  test('is stored without the spaces around it', () => {
    expect(value('name', '  <b> שרשרת 🚲 “off” ')).toBe('<b> שרשרת 🚲 “off”')
    expect(value('name', '\u00A0\t')).toBe('error: Enter a value.')
    expect(value('description', '')).toBe('error: Enter a value.')
  })

  test('limits names to 1,000 and descriptions to 10,000 characters, counting an emoji as one', () => {
    expect(value('name', '🚲'.repeat(1000))).toHaveLength(2000)
    expect(value('name', 'a'.repeat(1001))).toBe('error: Use at most 1,000 characters.')
    expect(value('description', 'a'.repeat(10_000))).toHaveLength(10_000)
    expect(value('description', '🚲'.repeat(10_001))).toBe('error: Use at most 10,000 characters.')
  })
})

describe('a link', () => {
  const message = 'error: Enter a link that begins with https:// or http://.'
  test.each(LINKS)('may be %j', (text) => {
    expect(value('link', ` ${text} `)).toBe(text)
  })

  test.each(NOT_LINKS)('may not be %j', (text) => {
    expect(value('link', text)).toBe(text.trim() === '' ? 'error: Enter a value.' : message)
  })

  test('has up to 2,000 characters', () => {
    expect(value('link', 'https://shop.example/'.padEnd(2000, 'a'))).toHaveLength(2000)
    expect(value('link', 'https://shop.example/'.padEnd(2001, 'a'))).toBe(
      'error: Use at most 2,000 characters.',
    )
  })
})

test('a type is one of the eight types or empty', () => {
  expect(TYPES.map((type) => value('type', type))).toEqual([...TYPES])
  expect(value('type', '')).toBeNull()
  expect(value('type', 'Engine')).toBe('error: Choose one from the list.')
})

describe('a date', () => {
  test.each([
    ['01/01/1900', '1900-01-01 01:00:00'],
    ['12/31/2100', '2100-12-31 01:00:00'],
  ])('stores %s as %s', (text, written) => {
    expect(value('dateStarted', text)).toBe(written)
  })

  test.each(['12/31/1899', '01/01/2101'])('rejects the year of %s', (text) => {
    expect(value('dateStarted', text)).toBe('error: Enter a year from 1900 to 2100.')
  })

  test('accepts an empty end and rejects an empty start', () => {
    expect(value('dateEnded', '', CLOSED)).toBeNull()
    expect(value('dateStarted', '')).toBe('error: Enter a date as MM/DD/YYYY.')
    expect(value('dateEnded', '02/30/2024')).toBe('error: Enter a date as MM/DD/YYYY.')
  })

  test('rejects an end before the start, whichever is edited', () => {
    expect(value('dateEnded', '01/09/2024')).toBe('error: Enter a date on or after the start, 01/10/2024.')
    expect(value('dateStarted', '02/11/2024', CLOSED)).toBe(
      'error: Enter a date on or before the end, 02/10/2024.',
    )
  })

  test('accepts the same day for start and end', () => {
    expect(value('dateEnded', '01/10/2024')).toBe('2024-01-10 01:00:00')
    expect(value('dateStarted', '02/10/2024', CLOSED)).toBe('2024-02-10 01:00:00')
  })
})

const STORED: Values = {
  type: 'Tires',
  name: 'GP 5000',
  description: null,
  link: null,
  cost: 12.5,
  dateStarted: '2024-01-10T08:30:00',
  dateEnded: '2024-02-10 01:00:00',
}

const stored = (field: Field, text: string) =>
  stateOf(field, text, STORED, { formats: US, before: STORED[field] })
const status = (field: Field, text: string) => stored(field, text).status

const hint = (text: string) => {
  const state = stored('cost', text)
  return state.status === 'dirty' ? state.hint : 'not dirty'
}

describe('a field of a stored item', () => {
  test('is clean with its stored value', () => {
    const texts = FIELD_NAMES.map((field) => FIELDS[field].format(STORED[field], US))
    expect(texts).toEqual(['Tires', 'GP 5000', '', '$12.50', '01/10/2024', '02/10/2024', ''])
    expect(FIELD_NAMES.map((field, index) => status(field, texts[index]!))).toEqual(Array(7).fill('clean'))
  })

  test.each([
    ['name', ' GP 5000 ', 'clean'],
    ['name', ' ', 'invalid'],
    ['description', '  ', 'clean'],
    ['type', '', 'dirty'],
    ['cost', '12.5', 'clean'],
    ['cost', '12.51', 'dirty'],
    ['cost', '12', 'dirty'],
    ['dateStarted', '1/10/2024', 'clean'],
    ['dateEnded', '', 'dirty'],
    ['dateEnded', '2/30/2024', 'invalid'],
  ] as const)('%s with %j is %s', (field, text, expected) => {
    expect(status(field, text)).toBe(expected)
  })

  test('shows what SAVE stores if it rounds the cost', () => {
    expect([hint('12.99'), hint('abc'), hint('$1,234'), hint('7')]).toEqual([
      'Saves as $12.00',
      'Saves as $0.00',
      null,
      null,
    ])
  })
})

test.each([
  ['2024-01-10T01:00:00', true],
  ['2024-01-10 01:00:00', true],
  ['2024-01-10T01:00:01', false],
  ['2024-01-11T01:00:00', false],
  [null, false],
])('an item until %s is work: %s', (dateEnded, expected) => {
  expect(isWork({ dateStarted: '2024-01-10T01:00:00', dateEnded })).toBe(expected)
})

test.each([
  ['an open item', '2024-01-10T01:00:00', null, 'in-use'],
  ['an item that starts today', '2024-06-15T23:00:00', null, 'in-use'],
  ['an item that starts tomorrow', '2024-06-16T01:00:00', null, 'planned'],
  ['an item that ended yesterday', '2024-01-10T01:00:00', '2024-06-14T01:00:00', 'ended'],
  ['an item that ends today', '2024-01-10T01:00:00', '2024-06-15T01:00:00', 'ended'],
  ['an item that ends tomorrow', '2024-01-10T01:00:00', '2024-06-16T01:00:00', 'in-use'],
  ['a part planned for some hours', '2024-06-16T01:00:00', '2024-06-16T08:00:00', 'planned'],
  ['work', '2024-01-10T01:00:00', '2024-01-10T01:00:00', 'ended'],
  ['work planned for tomorrow', '2024-06-16T01:00:00', '2024-06-16T01:00:00', 'ended'],
] as const)('knows the phase of %s', (_name, dateStarted, dateEnded, expected) => {
  expect(phaseOf({ dateStarted, dateEnded }, '2024-06-15')).toBe(expected)
})
