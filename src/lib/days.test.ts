import { afterEach, describe, expect, test } from 'vitest'

import { type Day, dayOf, isDay, pickerDate, timestampOf, localDay } from './days.ts'

test('stores a day at 01:00', () => {
  expect(timestampOf('2024-03-09')).toBe('2024-03-09 01:00:00')
})

test.each(['2024-01-01T01:00:00', '2024-01-01 01:00:00', '2024-01-01T23:59:59.999'])(
  'the day of %s does not depend on the time zone',
  (timestamp) => {
    expect(dayOf(timestamp)).toBe('2024-01-01')
  },
)

describe('a date picker never shifts the day', () => {
  const home = process.env['TZ']
  afterEach(() => {
    if (home === undefined) delete process.env['TZ']
    else process.env['TZ'] = home
  })

  // Each zone's UTC offset in January, in minutes, to prove that TZ took effect.
  test.each([
    ['America/New_York', 300],
    ['Europe/Berlin', -60],
    ['Pacific/Auckland', -780],
    ['Pacific/Kiritimati', -840],
    ['America/Santiago', 180],
  ])('in %s, on every day of two years', (zone, offset) => {
    process.env['TZ'] = zone
    expect(new Date(2024, 0, 15).getTimezoneOffset()).toBe(offset)
    for (const year of [2023, 2024]) {
      for (let date = 1; date <= 366; date += 1) {
        const day = new Date(Date.UTC(year, 0, date)).toISOString().slice(0, 10) as Day
        expect(localDay(pickerDate(day))).toBe(day)
      }
    }
  })

  test('today is the local day, even where UTC is a day ahead or behind', () => {
    const instant = new Date('2024-06-30T23:30:00Z')
    process.env['TZ'] = 'America/New_York'
    expect(localDay(instant)).toBe('2024-06-30')
    process.env['TZ'] = 'Pacific/Auckland'
    expect(localDay(instant)).toBe('2024-07-01')
  })
})

test.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2024-13-01', false],
  ['2024-1-1', false],
  ['2024-02-30', false],
  ['', false],
])('%j is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})
