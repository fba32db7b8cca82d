import { atom } from 'jotai'

import { markStaleAtom } from './resource.ts'
import type { ResourceKey } from './resource-keys.ts'

/** Marks data as stale in this tab and in the owner's other tabs. */
export const staleAtom = atom(null, (_get, set, keys: readonly ResourceKey[]) => {
  // The rule mistakes the channel for a window. Channels only reach their own origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage(keys)
  set(markStaleAtom, keys)
})

/**
 * Marks data as stale when another tab does. Also marks `keys` as stale when the owner returns to this tab, since
 * another device may have changed them. Returns a stop function.
 */
export const followAtom = atom(null, (_get, set, keys: readonly ResourceKey[]) => {
  const onMessage = ({ data }: MessageEvent<readonly ResourceKey[]>) => set(markStaleAtom, data)
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible') set(markStaleAtom, keys)
  }
  otherTabs.addEventListener('message', onMessage)
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    otherTabs.removeEventListener('message', onMessage)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
})

/** Carries keys, never data. */
const otherTabs = openChannel()

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

function openChannel(): Channel {
  try {
    return new BroadcastChannel('stale')
  } catch {
    // Firefox refuses a channel when site data is blocked.
    return Object.assign(new EventTarget(), { postMessage: () => undefined })
  }
}
