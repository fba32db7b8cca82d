import { createContext, useContext } from 'react'

import type { Day } from '../lib/days.ts'

/** Picks a day in the calendar around it. */
export const PickContext = createContext<(day: Day) => void>(() => undefined)

/** A button of the calendar that picks a day. */
export function CalendarShortcut({ day, children }: { day: Day; children: string }) {
  const pick = useContext(PickContext)
  return (
    <button type="button" onClick={() => pick(day)}>
      {children}
    </button>
  )
}
