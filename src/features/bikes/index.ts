export { type Bike, brandAndModel, type NamedBike, readBikes } from './api.ts'
export { bikesAtom, isGarageAtom, openGarageAtom, selectBikeAtom, selectedBikeAtom } from './atoms.ts'
export { BikesRow } from './BikesRow.tsx'
