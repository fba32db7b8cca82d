export { dueCountsAtom, dueTitleAtom } from './atoms.ts'
export { DueLine, NextTask } from './DueLine.tsx'
export { BikeService, Due, PartService, ServiceDialogs } from './lazy.tsx'
