export { type Bike, readBikes } from './api.ts'
export { bikesAtom, selectBikeAtom, selectedBikeAtom } from './atoms.ts'
export { BikesRow } from './BikesRow.tsx'
