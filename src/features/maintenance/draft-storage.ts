import * as v from 'valibot'

const Draft = v.object({
  /** What was typed. */
  text: v.string(),
  /** The stored value's text when the typing began: another one now means that somebody else changed it. */
  base: v.string(),
})

export type Draft = v.InferOutput<typeof Draft>

/** Drafts in sessionStorage: they outlive a reload and a crash of the tab, and end with it. */
export const draftStorage = {
  getItem(key: string, initial: Draft | null): Draft | null {
    const text = sessionStorage.getItem(key)
    if (text === null) return initial
    try {
      return v.parse(Draft, JSON.parse(text))
    } catch {
      return initial
    }
  },
  setItem(key: string, draft: Draft | null) {
    try {
      sessionStorage.setItem(key, JSON.stringify(draft))
    } catch (cause) {
      // The store is full: the draft still lives as long as the page does.
      console.warn('A draft could not be kept', cause)
    }
  },
  removeItem(key: string) {
    sessionStorage.removeItem(key)
  },
}

/** The keys of all drafts that begin so. */
export function draftKeys(prefix: string): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
}
