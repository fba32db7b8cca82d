import { atom, useAtomValue } from 'jotai'

import { formatsFor } from '../../supabase/functions/_shared/formats.ts'
import { DEFAULT_SETTINGS, settingsAtom } from './settings.ts'

export {
  formatClock,
  formatCount,
  formatDuration,
  formatHours,
  formatNumber,
  type Formats,
  formatsFor,
  formatTime,
  HOURS,
  MISSING,
  monthName,
  ratePerUnit,
  type Value,
} from '../../supabase/functions/_shared/formats.ts'

/** How the owner reads and writes distances, dates and money. */
export const formatsAtom = atom((get) => formatsFor(get(settingsAtom)))

/** Formats that no setting changes, to compare and store values as text. */
export const NEUTRAL_FORMATS = formatsFor(DEFAULT_SETTINGS)

export const useFormats = () => useAtomValue(formatsAtom)

/** Longer names would push the rest of a message off a phone's screen. */
const MAX_LENGTH = 80

export function shorten(name: string): string {
  const characters = Array.from(name)
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : name
}

export const quote = (name: string): string => `“${shorten(name)}”`
