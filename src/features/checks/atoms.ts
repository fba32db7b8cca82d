import { atom, type Getter, type Setter } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure, notifyWithAction } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { staleAtom } from '../../lib/stale.ts'
import { failureMessage } from '../../lib/writes.ts'
import { bringBack, dismiss, readChecks } from './api.ts'

/** What looks wrong. Also read again at midnight. */
export const checksAtom = resourceAtom(KEYS.checks, (get, { signal }) => {
  get(todayAtom)
  return readChecks(get(backendAtom).client, signal)
})

/** Dismisses a line and offers Undo. */
export const dismissAtom = atom(null, async (get, set, key: string, title: string) => {
  try {
    await dismiss(get(backendAtom).client, key)
  } catch (cause) {
    notifyFailure(failureMessage(title, 'dismissed', cause))
    return
  }
  notifyWithAction(`Dismissed: ${title}`, { label: 'Undo', run: () => void undo(get, set, key, title) })
  set(staleAtom, [KEYS.checks])
})

async function undo(get: Getter, set: Setter, key: string, title: string): Promise<void> {
  try {
    await bringBack(get(backendAtom).client, key)
    set(announceAtom, `Back in the list: ${title}`)
  } catch (cause) {
    const again = { label: 'Try again', run: () => void undo(get, set, key, title) }
    notifyWithAction(failureMessage(title, 'brought back', cause), again, { stays: true })
  }
  set(staleAtom, [KEYS.checks])
}
