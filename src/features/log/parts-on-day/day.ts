import { atom } from 'jotai'

import { addressAtom } from '../../../lib/address.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { type Day, isLogDay } from '../../../lib/days.ts'
import { formatsAtom } from '../../../lib/formats.ts'

/** The day from the address, or null. `problem` is an error message if the day is invalid. */
export const dayAtom = atom(
  (get): { day: Day | null; problem: string | null } => {
    const text = get(addressAtom)['day']
    if (text === undefined) return { day: null, problem: null }
    if (!isLogDay(text)) return { day: null, problem: 'The address has no valid day. Choose one.' }
    const today = get(todayAtom)
    const problem = text > today ? `Choose a day up to today, ${get(formatsAtom).day(today)}.` : null
    return { day: text, problem }
  },
  (_get, set, day: Day | null) => set(addressAtom, { set: { day }, by: 'replace' }),
)
