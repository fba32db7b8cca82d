export { BikeCards } from './BikeCards.tsx'
export { GarageTotals } from './GarageTotals.tsx'
