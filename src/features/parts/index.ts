export { PartDetails } from './PartDetails.tsx'
export { requestReplaceAtom } from './replace.ts'
export { ReplaceLine } from './ReplaceLine.tsx'
export { StoredParts } from './StoredParts.tsx'
