import { createContext, useContext } from 'react'

import type { Day } from '../lib/days.ts'

/** Picks a day in the surrounding calendar. */
export const PickContext = createContext<(day: Day) => void>(() => undefined)

export function CalendarShortcut({ day, children }: { day: Day; children: string }) {
  const pick = useContext(PickContext)
  return (
    <button type="button" onClick={() => pick(day)}>
      {children}
    </button>
  )
}
