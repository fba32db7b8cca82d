import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { syncsAtom, watchSyncsAtom } from './atoms.ts'

export function WatchSyncs() {
  useAtomValue(syncsAtom)
  const watch = useSetAtom(watchSyncsAtom)
  useEffect(() => watch(), [watch])
  return null
}
