import type { ShortcutGroup } from '../../lib/shortcuts.ts'

/** What RidesTableHead.tsx hears. */
export const RIDES_SHORTCUTS: ShortcutGroup = {
  place: 'On a header of the rides',
  shortcuts: [
    { keys: ['Enter'], does: 'Sort by the column, then the other way round' },
    { keys: ['Shift + ←', 'Shift + →'], does: 'Make the column narrower or wider' },
  ],
}

/** What chart/Bars.tsx hears. */
export const CHART_SHORTCUTS: ShortcutGroup = {
  place: 'On the chart’s bars',
  shortcuts: [
    { keys: ['←', '→'], does: 'Go to the bar beside' },
    { keys: ['Home', 'End'], does: 'Go to the first or the last' },
    { keys: ['Enter'], does: 'Narrow the dates to the bar' },
  ],
}
