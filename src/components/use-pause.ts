import { useEffect, useState } from 'react'

/** Milliseconds after the last key press. */
const PAUSE = 400

/**
 * Commits a draft when the owner stops typing, because browsers throttle address changes on every key press. Discards it
 * when its field closes.
 */
export function usePause(draft: string | null, commit: () => void, discard: (none: null) => void): void {
  useEffect(() => {
    if (draft === null) return undefined
    const pause = setTimeout(commit, PAUSE)
    return () => clearTimeout(pause)
  }, [draft, commit])
  useEffect(() => () => discard(null), [discard])
}

/** Returns a text once the owner has stopped typing. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(pause)
  }, [text])
  return paused
}
