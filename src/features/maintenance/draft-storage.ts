import * as v from 'valibot'

import { browserStorage } from '../../lib/browser-storage.ts'

const Draft = v.object({
  /** What was typed. */
  text: v.string(),
  /** The stored value's text when the typing began. A different one now means it was changed elsewhere. */
  base: v.string(),
  /** The item's name when the typing began, for when the item is deleted elsewhere. */
  itemName: v.optional(v.string()),
  /** Whether the owner cleared the value, rather than leave the field empty while typing. */
  isCleared: v.optional(v.boolean()),
  /** With the name of a new item: the key it was sent with, so sending it again adds nothing. */
  requestKey: v.optional(v.string()),
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
  removeItem: (key: string) => session.removeItem(key),
}

/** The keys of all drafts that begin with `prefix`. */
export function draftKeys(prefix: string): string[] {
  return session.keys().filter((key) => key.startsWith(prefix))
}
