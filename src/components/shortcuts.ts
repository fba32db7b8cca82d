import type { ShortcutGroup } from '../lib/shortcuts.ts'

/** What DateInput and its calendar hear. */
export const DATE_SHORTCUTS: ShortcutGroup = {
  place: 'In a date',
  shortcuts: [
    { keys: ['↓'], does: 'Go into the calendar' },
    { keys: ['←', '→', '↑', '↓'], does: 'Walk through its days' },
    { keys: ['Page Up', 'Page Down'], does: 'Go a month back or on' },
    { keys: ['Enter'], does: 'Take the day' },
    { keys: ['Esc'], does: 'Close the calendar' },
  ],
}

/** What Tabs hear. */
export const TAB_SHORTCUTS: ShortcutGroup = {
  place: 'On the tabs',
  shortcuts: [
    { keys: ['←', '→'], does: 'Choose the tab beside' },
    { keys: ['Home', 'End'], does: 'Choose the first or the last' },
  ],
}
