export { Lifetimes } from './Lifetimes.tsx'
export { PartCost } from './PartCost.tsx'
export { WhatIf } from './WhatIf.tsx'
