import type { ShortcutGroup } from '../../components/shortcuts.ts'

/** What the log's cells hear: grid-keys.ts and EditorCell.tsx. */
export const LOG_SHORTCUTS: ShortcutGroup = {
  place: 'In the maintenance log',
  shortcuts: [
    { keys: ['Enter'], does: 'Save the field, or add the new row' },
    { keys: ['Esc'], does: 'Restore what is stored' },
    { keys: ['↑', '↓'], does: 'Go to the field above or below' },
    { keys: ['←', '→'], does: 'From either end of a text: go to the field beside' },
  ],
}
