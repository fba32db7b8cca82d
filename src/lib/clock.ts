import { atom } from 'jotai'

import { dayIn, timeZoneAtom } from './time-zone.ts'

const QUARTER_MS = 900_000

const base = atom(Date.now())
base.onMount = (set) => {
  const update = () => set(Date.now())
  let timer = 0
  const schedule = () => {
    timer = window.setTimeout(() => {
      update()
      schedule()
    }, msToQuarter(Date.now()))
  }
  update()
  schedule()
  // Timers are late after the machine slept, and in hidden tabs.
  document.addEventListener('visibilitychange', update)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', update)
  }
}

/** Today in the owner's time zone. Changes at midnight. */
export const todayAtom = atom((get) => get(dayAtAtom)(get(base)))

/** Returns the owner's day at an instant. */
export const dayAtAtom = atom((get) => dayIn(get(timeZoneAtom)))

/** Returns the milliseconds until just after the next quarter of an hour, when a day may begin somewhere. */
export function msToQuarter(now: number): number {
  return QUARTER_MS - (now % QUARTER_MS) + 1
}
