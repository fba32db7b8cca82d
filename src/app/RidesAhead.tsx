import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { logAtom } from '../features/maintenance'
import { usageAtom } from '../features/usage'
import { whenIdle } from '../lib/idle.ts'
import { loadRidesAheadAtom } from './tab.ts'

/** Loads the bike's rides in the background once its log is on the screen, numbers included. */
export function RidesAhead({ gearId }: { gearId: number }) {
  const [log, usage] = [useAtomValue(logAtom(gearId)), useAtomValue(usageAtom(gearId))]
  const load = useSetAtom(loadRidesAheadAtom)
  const isLogShown = log.state !== 'loading' && usage.state !== 'loading'

  useEffect(() => {
    if (!isLogShown) return undefined
    let isCurrent = true
    whenIdle(() => {
      if (isCurrent) void load(gearId)
    })
    return () => {
      isCurrent = false
    }
  }, [isLogShown, gearId, load])
  return null
}
