export type { Bike } from './api.ts'
export { bikesAtom, selectedBikeAtom } from './atoms.ts'
export { BikesRow } from './BikesRow.tsx'
