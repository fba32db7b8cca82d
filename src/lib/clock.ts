import { atom } from 'jotai'

import { today } from './days.ts'

const HOUR_MS = 3_600_000

const base = atom(today())
base.onMount = (set) => {
  const look = () => set(today())
  let timer = 0
  const wait = () => {
    timer = window.setTimeout(
      () => {
        look()
        wait()
      },
      Math.min(msToMidnight(new Date()), HOUR_MS),
    )
  }
  look()
  wait()
  // A timer sleeps with the machine, and in a tab that nobody sees.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

/** The owner's day; it changes at midnight, and whatever reads it is worked out again. */
export const todayAtom = atom((get) => get(base))

/** Until a moment after the next midnight of the owner's clock, also on days of 23 or 25 hours. */
export function msToMidnight(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  return midnight.getTime() - now.getTime() + 1
}
