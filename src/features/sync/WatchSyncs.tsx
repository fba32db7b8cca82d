import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { syncsAtom, watchSyncsAtom } from './atoms.ts'

/** Renders nothing. Detects syncs that started elsewhere while it is mounted. */
export function WatchSyncs() {
  useAtomValue(syncsAtom)
  const watch = useSetAtom(watchSyncsAtom)
  useEffect(() => watch(), [watch])
  return null
}
