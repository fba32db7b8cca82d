/** A row in the shortcuts dialog. Its keys do the same or opposite things. */
type Shortcut = { keys: readonly string[]; does: string }

/** The shortcuts for one place in the app, defined next to the code that handles their keys. */
export type ShortcutGroup = { place: string; shortcuts: readonly Shortcut[] }

/** Handled by react-toastify. */
export const TOAST_SHORTCUT: Shortcut = { keys: ['Alt T'], does: 'Go to the newest message and its buttons' }

export const DATE_SHORTCUTS: ShortcutGroup = {
  place: 'In a date field',
  shortcuts: [
    { keys: ['↓'], does: 'Open the calendar or move into it' },
    { keys: ['←', '→', '↑', '↓'], does: 'Move between days' },
    { keys: ['Page Up', 'Page Down'], does: 'Previous or next month' },
    { keys: ['Enter'], does: 'Select the date' },
    { keys: ['Esc'], does: 'Close the calendar' },
  ],
}

export const TAB_SHORTCUTS: ShortcutGroup = {
  place: 'On the tabs',
  shortcuts: [
    { keys: ['←', '→'], does: 'Previous or next tab' },
    { keys: ['Home', 'End'], does: 'First or last tab' },
  ],
}
