import { atom } from 'jotai'

import { today } from './days.ts'

const HOUR_MS = 3_600_000

const base = atom(today())
base.onMount = (set) => {
  const update = () => set(today())
  let timer = 0
  const schedule = () => {
    timer = window.setTimeout(
      () => {
        update()
        schedule()
      },
      Math.min(msToMidnight(new Date()), HOUR_MS),
    )
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

/** Today in the browser's time zone. Changes at midnight. */
export const todayAtom = atom((get) => get(base))

/** Returns the milliseconds until just after the next local midnight. Handles days of 23 or 25 hours. */
export function msToMidnight(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  return midnight.getTime() - now.getTime() + 1
}
