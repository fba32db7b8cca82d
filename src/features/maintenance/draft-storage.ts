import * as v from 'valibot'

import { browserStorage } from '../../lib/browser-storage.ts'

const Draft = v.object({
  /** What was typed. */
  text: v.string(),
  /** The stored value's text when the typing began: another one now means that somebody else changed it. */
  base: v.string(),
})

export type Draft = v.InferOutput<typeof Draft>

const session = browserStorage(() => sessionStorage)

/** Drafts survive a reload and a crash of the tab, and end with it. With site data blocked, they live in memory only. */
export const draftStorage = {
  getItem(key: string, initial: Draft | null): Draft | null {
    const text = session.getItem(key)
    if (text === null) return initial
    try {
      return v.parse(Draft, JSON.parse(text))
    } catch {
      return initial
    }
  },
  setItem: (key: string, draft: Draft | null) => session.setItem(key, JSON.stringify(draft)),
  removeItem: session.removeItem,
}

/** The keys of all drafts that begin with `prefix`. */
export function draftKeys(prefix: string): string[] {
  return session.keys().filter((key) => key.startsWith(prefix))
}
