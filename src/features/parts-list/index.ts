export { dayAtom } from './day.ts'
export { PartsList } from './PartsList.tsx'
export { DayChoice, PartsOnDay } from './PartsOnDay.tsx'
