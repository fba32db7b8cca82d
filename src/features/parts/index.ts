export { PartDetails } from './PartDetails.tsx'
export { ReplaceLine } from './ReplaceLine.tsx'
export { StoredParts } from './StoredParts.tsx'
