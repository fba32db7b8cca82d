import { formatsFor } from './formats.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

export const US = formatsFor(DEFAULT_SETTINGS)
export const KILOMETERS = formatsFor({ ...DEFAULT_SETTINGS, distance: 'km' })
export const GERMAN = formatsFor({
  distance: 'km',
  dates: 'DD.MM.YYYY',
  currency: 'EUR',
  week_start: 'Monday',
})
