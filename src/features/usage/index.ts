export type { Ridden } from './api.ts'
export { usageAtom } from './atoms.ts'
export { UsageFailure } from './UsageFailure.tsx'
export { TotalMiles } from './TotalMiles.tsx'
