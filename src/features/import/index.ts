export { Import } from './Import.tsx'
