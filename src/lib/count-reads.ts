import type { createStore } from 'jotai'

import { resourceAtom } from './resource.ts'
import type { Input } from './inputs.ts'

/** Mounts a resource in a test. Returns a function that returns the number of reads so far. */
export function countReads(store: ReturnType<typeof createStore>, ...reads: Input[]): () => number {
  let count = 0
  const read = () => Promise.resolve((count += 1))
  store.sub(resourceAtom({ reads }, read), () => undefined)
  return () => count
}
