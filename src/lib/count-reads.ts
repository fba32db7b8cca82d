import type { createStore } from 'jotai'

import { resourceAtom } from './resource.ts'
import type { ResourceKey } from './resource-keys.ts'

/** Mounts a resource in a test. Returns a function that returns the number of reads so far. */
export function countReads(store: ReturnType<typeof createStore>, key: ResourceKey): () => number {
  let count = 0
  const read = () => Promise.resolve((count += 1))
  store.sub(resourceAtom(key, read, { isCached: false }), () => undefined)
  return () => count
}
