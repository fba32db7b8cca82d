import { expect, test } from 'vitest'

import { DEFAULT_SETTINGS } from '../../lib/settings.ts'
import { settingsOf } from './browser-settings.ts'
import { questionOf } from './SettingsOffer.tsx'

test.each([
  ['de-DE', 'km DD.MM.YYYY EUR Monday'],
  ['de', 'km DD.MM.YYYY USD Sunday'],
  ['de-CH', 'km DD.MM.YYYY CHF Monday'],
  ['de-x-private', 'km DD.MM.YYYY USD Sunday'],
  ['fr-FR', 'km DD/MM/YYYY EUR Monday'],
  ['fr-CA', 'km YYYY-MM-DD CAD Sunday'],
  ['en', 'mi MM/DD/YYYY USD Sunday'],
  ['en-GB', 'mi DD/MM/YYYY GBP Monday'],
  ['en-AU', 'km DD/MM/YYYY AUD Monday'],
  ['sv-SE', 'km YYYY-MM-DD SEK Monday'],
  ['cs-CZ', 'km DD.MM.YYYY CZK Monday'],
  ['hu-HU', 'km YYYY-MM-DD HUF Monday'],
  ['nl-NL', 'km DD/MM/YYYY EUR Monday'],
  ['ja-JP-u-ca-japanese', 'km YYYY-MM-DD JPY Sunday'],
  ['ar-AE', 'km DD/MM/YYYY AED Saturday'],
  ['zh-Hant-TW', 'km YYYY-MM-DD TWD Sunday'],
  // Buddhist years are not offered.
  ['th-TH', 'km DD/MM/YYYY THB Sunday'],
  ['en-US@posix', 'mi MM/DD/YYYY USD Sunday'],
  ['', 'mi MM/DD/YYYY USD Sunday'],
  // Not in the table.
  ['mn-MN', 'km YYYY-MM-DD USD Sunday'],
  ['es-419', 'km DD/MM/YYYY USD Sunday'],
])('people who use %s write %s', (locale, written) => {
  const { distance, dates, currency, week_start } = settingsOf(locale)
  expect([distance, dates, currency, week_start].join(' ')).toBe(written)
})

test.each([
  ['de-DE', 'Use kilometers, 22.11.2026 and €?'],
  ['de-CH', 'Use kilometers, 22.11.2026 and CHF?'],
  ['de', 'Use kilometers and 22.11.2026?'],
  ['en-GB', 'Use 22/11/2026 and £?'],
  ['es-PR', null],
  ['en-US', null],
])('for %s, asks %j', (locale, question) => {
  expect(questionOf(settingsOf(locale), DEFAULT_SETTINGS)).toBe(question)
})

test('does not ask about what the owner has', () => {
  const units = { ...DEFAULT_SETTINGS, distance: 'km' } as const
  expect(questionOf(settingsOf('de-DE'), units)).toBe('Use 22.11.2026 and €?')
})
