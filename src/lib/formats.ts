import { atom, useAtomValue } from 'jotai'
import { createContext, use, useState } from 'react'

import { type Formats, formatsFor } from '../../supabase/functions/_shared/formats/formats.ts'
import { DEFAULT_SETTINGS, settingsAtom } from './settings.ts'

export {
  counted,
  currencyCodes,
  currencyName,
  formatClock,
  formatCount,
  formatDuration,
  formatHours,
  formatNumber,
  formatRiding,
  type Formats,
  fullMonthName,
  formatsFor,
  formatTime,
  HOURS,
  listCounts,
  MISSING,
  monthName,
  parseNumber,
  periodName,
  quote,
  ratePerUnit,
  readingsOf,
  shorten,
  signOf,
  upperFirst,
  type Value,
  weekdayName,
} from '../../supabase/functions/_shared/formats/formats.ts'

/** How the owner reads and writes distances, dates and money. */
export const formatsAtom = atom((get) => formatsFor(get(settingsAtom)))

/** Formats that no setting changes, to compare and store values as text. */
export const NEUTRAL_FORMATS = formatsFor(DEFAULT_SETTINGS)

/** The formats that a dialog opened with. */
export const HeldFormats = createContext<Formats | null>(null)

export function useFormats(): Formats {
  const current = useAtomValue(formatsAtom)
  return use(HeldFormats) ?? current
}

/** Keeps the formats that a form opened with, because what is typed in it would mean another day after a change. */
export function useHeldFormats(): Formats {
  const formats = useFormats()
  return useState(formats)[0]
}

/** Formats a past instant: `5 min ago`, `2 h ago` or, after a day, with its date. */
export function agoOf(date: Date, formats: Formats, now: number): string {
  const minutes = Math.floor((now - date.getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : formats.dateTime(date)
}
