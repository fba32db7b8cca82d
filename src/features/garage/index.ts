export { garageAtom } from './atoms.ts'
export { BikeCards } from './BikeCards.tsx'
export { GarageTotals } from './GarageTotals.tsx'
