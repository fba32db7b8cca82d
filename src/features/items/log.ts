import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { usageAtom } from './usage.ts'
import { readAllItems, readLog } from './api.ts'

/** A bike's log, by gear_id. */
export const logAtom = atomFamily((gearId: number) =>
  resourceAtom((get, { signal }) => readLog(get(backendAtom).client, gearId, signal), {
    cacheKey: `log/${gearId}`,
  }),
)

/** The items of all bikes, ordered by id. */
export const allItemsAtom = resourceAtom((get, { signal }) => readAllItems(get(backendAtom).client, signal), {
  cacheKey: 'items',
})

const changesBase = atom(0)
changesBase.onMount = (set) => {
  const bump = () => set((n) => n + 1)
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible') bump()
  }
  otherTabs.addEventListener('message', bump)
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    otherTabs.removeEventListener('message', bump)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

/** Changes when the log of any bike may have changed, here or elsewhere. What is derived from all logs depends on it. */
export const logChangesAtom = atom((get) => get(changesBase))

/** Reloads a bike's log after a write, and its usage if the write may have changed it. */
export const reloadLogAtom = atom(null, async (_get, set, gearId: number, changesUsage: boolean) => {
  // The rule mistakes the channel for a window; a channel only reaches its own origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage(gearId)
  set(changesBase, (n) => n + 1)
  if (changesUsage) void set(usageAtom(gearId))
  await set(logAtom(gearId))
})

/**
 * Reloads a bike's log and usage when another tab writes to the log, and when the owner returns to this tab, since the
 * log may have changed on another device. Returns a function that stops this.
 */
export const followLogAtom = atom(null, (_get, set, gearId: number) => {
  const reload = () => {
    void set(usageAtom(gearId))
    void set(logAtom(gearId))
  }
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (data === gearId) reload()
  }
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible') reload()
  }
  otherTabs.addEventListener('message', onMessage)
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    otherTabs.removeEventListener('message', onMessage)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
})

/** Carries the gear_id of each bike whose log was written to in another of the owner's tabs. */
const otherTabs = openChannel()

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

function openChannel(): Channel {
  try {
    return new BroadcastChannel('maintenance-log')
  } catch {
    // Firefox refuses a channel when site data is blocked.
    return Object.assign(new EventTarget(), { postMessage: () => undefined })
  }
}
