import { atom } from 'jotai'

import { dropFirstReads } from './first-reads.ts'
import { type Input, OWNED } from './inputs.ts'
import { touchHereAtom } from './resource.ts'

/** Tells resources in this tab and in the owner's other tabs what a write touched. */
export const touchAtom = atom(null, (_get, set, inputs: readonly Input[]) => {
  tellOtherTabs(inputs)
  set(touchHereAtom, inputs)
})

/** Tells resources in the owner's other tabs what this tab touched. */
export function tellOtherTabs(inputs: readonly Input[]): void {
  // The rule mistakes the channel for a window. Channels only reach their own origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage(inputs)
}

/**
 * Repeats reads when another tab touches their inputs, and when the owner returns to this tab, since another device may
 * have changed anything. Returns a stop function.
 */
export const followAtom = atom(null, (_get, set) => {
  const touch = (inputs: readonly Input[]) => {
    dropFirstReads()
    set(touchHereAtom, inputs)
  }
  const onMessage = ({ data }: MessageEvent<readonly Input[]>) => touch(data)
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible') touch(OWNED)
  }
  otherTabs.addEventListener('message', onMessage)
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    otherTabs.removeEventListener('message', onMessage)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
})

/** Carries what was touched, never data. */
const otherTabs = openChannel()

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

function openChannel(): Channel {
  try {
    return new BroadcastChannel('touched')
  } catch {
    // Firefox refuses a channel when site data is blocked.
    return Object.assign(new EventTarget(), { postMessage: () => undefined })
  }
}
