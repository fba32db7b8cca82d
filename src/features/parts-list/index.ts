export { PartsList } from './PartsList.tsx'
