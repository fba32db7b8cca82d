export { dueCountsAtom, dueTitleAtom } from './atoms.ts'
export { DueLine, NextTask } from './DueLine.tsx'
export { AfterService, BikeService, Due, isServiceReadyAtom, PartService, ServiceDialogs } from './lazy.tsx'
