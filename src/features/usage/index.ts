export type { Ridden } from './api.ts'
export { usageAtom } from './atoms.ts'
export { TotalMiles } from './TotalMiles.tsx'
