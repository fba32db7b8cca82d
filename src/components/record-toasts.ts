import { beforeEach, vi } from 'vitest'
import * as toasts from './toasts.tsx'

type Offer = { message: string; label: string; run: () => void }

/** Records each test's toasts instead of showing them. Uses spies, since module mocks need a process per test file. */
export function recordToasts() {
  const shown = { done: [] as string[], failures: [] as string[], offers: [] as Offer[] }
  beforeEach(() => {
    for (const list of Object.values(shown)) list.length = 0
    vi.spyOn(toasts, 'notifyDone').mockImplementation((message) => void shown.done.push(message))
    vi.spyOn(toasts, 'notifyFailure').mockImplementation((message) => void shown.failures.push(message))
    vi.spyOn(toasts, 'notifyWithAction').mockImplementation((message, actions) => {
      for (const action of [actions].flat()) shown.offers.push({ message, ...action })
      return () => undefined
    })
  })
  return shown
}
