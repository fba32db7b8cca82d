import type { ShortcutGroup } from '../../lib/shortcuts.ts'

/** The keys of row-keys.ts and RidesTableHead.tsx. */
export const RIDES_SHORTCUTS: readonly ShortcutGroup[] = [
  {
    place: 'On a ride’s name',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Go to the ride above or below' },
      { keys: ['Page Up', 'Page Down'], does: 'Go a page up or down' },
      { keys: ['Home', 'End'], does: 'Go to the first or the last ride' },
      { keys: ['Enter'], does: 'Open the ride at Ride with GPS' },
    ],
  },
  {
    place: 'On a header of the rides',
    shortcuts: [
      { keys: ['Enter'], does: 'Sort by the column, then the other way round' },
      { keys: ['Shift + ←', 'Shift + →'], does: 'Make the column narrower or wider' },
    ],
  },
]

/** What chart/Bars.tsx hears. */
export const CHART_SHORTCUTS: ShortcutGroup = {
  place: 'On the chart’s bars',
  shortcuts: [
    { keys: ['←', '→'], does: 'Go to the bar beside' },
    { keys: ['Home', 'End'], does: 'Go to the first or the last' },
    { keys: ['Enter'], does: 'Narrow the dates to the bar' },
  ],
}
