import { atom } from 'jotai'

import { usageAtom } from '../usage'
import { logAtom } from './log.ts'
import { otherTabs } from './other-tabs.ts'

/**
 * Reads a bike's log and usage again when another tab wrote to it, and when the owner comes back to this one (it may
 * have been changed on another machine); returns how to stop.
 */
export const followLogAtom = atom(null, (_get, set, gearId: number) => {
  const reread = () => {
    void set(usageAtom(gearId))
    void set(logAtom(gearId))
  }
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (data === gearId) reread()
  }
  const see = () => {
    if (document.visibilityState === 'visible') reread()
  }
  otherTabs.addEventListener('message', hear)
  document.addEventListener('visibilitychange', see)
  return () => {
    otherTabs.removeEventListener('message', hear)
    document.removeEventListener('visibilitychange', see)
  }
})
