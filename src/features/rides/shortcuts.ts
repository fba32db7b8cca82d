import type { ShortcutGroup } from '../../components/shortcuts.ts'

/** Handled in row-keys.ts and RidesTableHead.tsx. */
export const RIDES_SHORTCUTS: readonly ShortcutGroup[] = [
  {
    place: 'On a ride’s name',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Previous or next ride' },
      { keys: ['Page Up', 'Page Down'], does: 'Previous or next page of rides' },
      { keys: ['Home', 'End'], does: 'First or last ride' },
      { keys: ['Enter'], does: 'Open the ride on Ride with GPS' },
    ],
  },
  {
    place: 'On a column header of the rides',
    shortcuts: [
      { keys: ['Enter'], does: 'Sort; press again to reverse' },
      { keys: ['Shift + ←', 'Shift + →'], does: 'Make the column narrower or wider' },
    ],
  },
]

/** Handled in chart/RidesChart.tsx. */
export const CHART_SHORTCUTS: ShortcutGroup = {
  place: 'On a chart bar',
  shortcuts: [
    { keys: ['←', '→'], does: 'Previous or next bar' },
    { keys: ['Home', 'End'], does: 'First or last bar' },
    { keys: ['Enter'], does: 'Show only the rides in this period' },
  ],
}
