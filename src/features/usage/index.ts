export { readUsage, type Ridden, type Usage } from './api.ts'
export { firstRideAtom, usageAtom, usageOnDayAtom } from './atoms.ts'
export { counts, countsFor } from './counts-for.ts'
export {
  allRidesHref,
  drillDownHref,
  drillDownOf,
  type DrillDownTarget,
  logHref,
  ridesSortAtom,
  ridesWithoutBikeHref,
} from './links.ts'
export { TotalMiles } from './TotalMiles.tsx'
