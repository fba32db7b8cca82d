import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { notifyWithUndo } from '../../components/undo.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { staleAtom } from '../../lib/stale.ts'
import { failureMessage } from '../../lib/writes.ts'
import { bringBack, dismiss, readChecks } from './api.ts'

/** Reloads at midnight. */
export const checksAtom = resourceAtom(KEYS.checks, (get, { signal }) => {
  get(todayAtom)
  return readChecks(get(backendAtom).client, signal)
})

export const dismissAtom = atom(null, async (get, set, key: string, title: string) => {
  try {
    await dismiss(get(backendAtom).client, key)
  } catch (cause) {
    notifyFailure(failureMessage(title, 'dismissed', cause))
    return
  }
  notifyWithUndo(set, `Dismissed: ${title}`, {
    write: () => bringBack(get(backendAtom).client, key),
    subject: title,
    done: 'brought back',
    announcement: `Back in the list: ${title}`,
    after: () => set(staleAtom, [KEYS.checks]),
  })
  set(staleAtom, [KEYS.checks])
})
