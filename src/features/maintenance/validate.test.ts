import { describe, expect, test } from 'vitest'

import { type Field, FIELD_NAMES, FIELDS, type Values } from './fields.ts'
import { validateField, validateNewField } from './validate.ts'

const STORED: Values = {
  type: 'Tires',
  name: 'GP 5000',
  description: null,
  cost: 12.5,
  dateStarted: '2024-01-10T08:30:00',
  dateEnded: '2024-02-10 01:00:00',
}

const status = (field: Field, text: string) => validateField(field, text, STORED).status

const hint = (text: string) => {
  const state = validateField('cost', text, STORED)
  return state.status === 'dirty' ? state.hint : 'not dirty'
}

describe('a field of a stored item', () => {
  test('is clean with its stored value', () => {
    const texts = FIELD_NAMES.map((field) => FIELDS[field].format(STORED[field]))
    expect(texts).toEqual(['Tires', 'GP 5000', '', '$12.50', '01/10/2024', '02/10/2024'])
    expect(FIELD_NAMES.map((field, index) => status(field, texts[index]!))).toEqual(Array(6).fill('clean'))
  })

  test.each([
    ['name', ' GP 5000 ', 'clean'],
    ['name', 'GP 5001', 'dirty'],
    ['name', ' ', 'invalid'],
    ['description', '  ', 'clean'],
    ['description', 'new', 'dirty'],
    ['type', '', 'dirty'],
    ['cost', '12.50', 'clean'],
    ['cost', '12.5', 'clean'],
    ['cost', '12.51', 'dirty'],
    ['cost', '12', 'dirty'],
    ['cost', '', 'invalid'],
    ['dateStarted', '1/10/2024', 'clean'],
    ['dateStarted', '1/11/2024', 'dirty'],
    ['dateEnded', '', 'dirty'],
    ['dateEnded', '2/10/2024', 'clean'],
    ['dateEnded', '2/30/2024', 'invalid'],
  ] as const)('%s with %j is %s', (field, text, expected) => {
    expect(status(field, text)).toBe(expected)
  })

  test('a cost that will be rounded says what SAVE stores', () => {
    expect([hint('12.99'), hint('abc'), hint('$1,234'), hint('7')]).toEqual([
      'SAVE stores $12.00',
      'SAVE stores $0.00',
      null,
      null,
    ])
  })
})

describe('a field of the new row', () => {
  const START = '2024-01-10 01:00:00'

  test('is clean while empty', () => {
    expect(validateNewField('cost', '', START).status).toBe('clean')
    expect(validateNewField('dateStarted', '', START).status).toBe('clean')
  })

  test('rejects a blank name and an end before the start', () => {
    expect(validateNewField('name', '  ', START).status).toBe('invalid')
    expect(validateNewField('dateEnded', '1/9/2024', START).status).toBe('invalid')
    expect(validateNewField('dateEnded', '1/10/2024', START).status).toBe('dirty')
  })
})
