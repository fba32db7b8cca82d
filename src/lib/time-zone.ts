import { atom } from 'jotai'
import * as v from 'valibot'

import type { Day } from './days.ts'
import { preferenceAtom } from './preference.ts'

/** The last time zone of the owner that this browser knew. Empty: none. */
export const knownZoneAtom = preferenceAtom('time-zone', '', v.string())

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The owner's time zone, an IANA name. Until it is known, the browser's. */
export const timeZoneAtom = atom((get) => {
  const known = get(knownZoneAtom)
  return isZone(known) ? known : browserZone()
})

/** Returns whether this browser knows a time zone. */
function isZone(name: string): boolean {
  try {
    return name !== '' && Boolean(Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** Returns the day at an instant in a time zone. */
export function dayIn(timeZone: string): (instant: number | Date) => Day {
  // Swedes write days as ISO does.
  const style = Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return (instant) => style.format(instant) as Day
}

/** Lists the names of time zones, including one that this browser doesn't list. */
export const zonesWith = (zone: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].toSorted()
