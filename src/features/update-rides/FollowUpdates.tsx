import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { followUpdatesAtom, syncsAtom } from './atoms.ts'

/** Shows nothing: as long as it is there, updates of the rides that were not asked for here are noticed. */
export function FollowUpdates() {
  useAtomValue(syncsAtom)
  const follow = useSetAtom(followUpdatesAtom)
  useEffect(() => follow(), [follow])
  return null
}
