export { loadRidesAtom } from './atoms.ts'
export { RidesList } from './RidesList.tsx'
export { CHART_SHORTCUTS, RIDES_SHORTCUTS } from './shortcuts.ts'
