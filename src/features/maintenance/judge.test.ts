import { describe, expect, test } from 'vitest'

import { type Field, textOf, type Values } from './fields.ts'
import { judge, judgeNew } from './judge.ts'

const STORED: Values = {
  type: 'Tires',
  name: 'GP 5000',
  description: null,
  cost: 12.5,
  dateStarted: '2024-01-10T08:30:00',
  dateEnded: '2024-02-10 01:00:00',
}

const status = (field: Field, text: string) => judge(field, text, STORED).status

const hint = (text: string) => {
  const verdict = judge('cost', text, STORED)
  return verdict.status === 'dirty' ? verdict.hint : 'not dirty'
}

describe('a record’s field', () => {
  test('reads as it is stored, and is clean so', () => {
    const fields = ['type', 'name', 'description', 'cost', 'dateStarted', 'dateEnded'] as const
    expect(fields.map((field) => textOf(field, STORED))).toEqual([
      'Tires',
      'GP 5000',
      '',
      '$12.50',
      '01/10/2024',
      '02/10/2024',
    ])
    expect(fields.map((field) => status(field, textOf(field, STORED)))).toEqual(Array(6).fill('clean'))
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

  test('a cost whose text says otherwise tells what will be written', () => {
    expect([hint('12.99'), hint('abc'), hint('$1,234'), hint('7')]).toEqual([
      'SAVE writes $12.00',
      'SAVE writes $0.00',
      null,
      null,
    ])
  })
})

describe('the new-row line', () => {
  const START = '2024-01-10 01:00:00'

  test('leaves what is empty to its default', () => {
    expect(judgeNew('cost', '', START).status).toBe('clean')
    expect(judgeNew('dateStarted', '', START).status).toBe('clean')
  })

  test('refuses blanks for a name, and an end before its start', () => {
    expect(judgeNew('name', '  ', START).status).toBe('invalid')
    expect(judgeNew('dateEnded', '1/9/2024', START).status).toBe('invalid')
    expect(judgeNew('dateEnded', '1/10/2024', START).status).toBe('dirty')
  })
})
