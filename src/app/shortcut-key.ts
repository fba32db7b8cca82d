import * as v from 'valibot'

import { preferenceAtom } from '../lib/preference.ts'

/** Whether `?` opens the table of shortcuts: a key of a single character may be in the way of dictation, say. */
export const hasShortcutKeyAtom = preferenceAtom<boolean>('shortcut-key', true, v.boolean())

/** Whether a key press asks for the table: not while something is typed, nor while a dialog is open. */
export function asksForShortcuts({ key, altKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (key !== '?' || altKey || ctrlKey || metaKey) return false
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('select, textarea, input:not([type=radio], [type=checkbox])'))
  return !isTyping && document.querySelector('dialog[open]') === null
}
