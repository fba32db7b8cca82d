import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from '../lib/preference.ts'

/** Whether `?` opens the shortcuts list. Single-character shortcuts interfere with dictation (WCAG 2.1.4). */
export const hasShortcutKeyAtom = preferenceAtom<boolean>('shortcut-key', true, v.boolean())

export const SHORTCUTS_KEY = { shown: '?', aria: '?' }

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const isCommandMenuOpenAtom = atom(false)

export const COMMAND_KEYS = isApple ? { shown: '⌘K', aria: 'Meta+K' } : { shown: 'Ctrl K', aria: 'Control+K' }

/** Returns whether a key press toggles the command menu. On a Mac, Ctrl-K is a text editing shortcut. */
export function isCommandKey(event: KeyboardEvent): boolean {
  const { key, altKey, shiftKey, ctrlKey, metaKey, isComposing, repeat } = event
  if (key.toLowerCase() !== 'k' || altKey || shiftKey || isComposing || repeat) return false
  return isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
}

export function opensShortcuts({ key, altKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (key !== '?' || altKey || ctrlKey || metaKey) return false
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('select, textarea, input:not([type=radio], [type=checkbox])'))
  return !isTyping && document.querySelector('dialog[open]') === null
}
