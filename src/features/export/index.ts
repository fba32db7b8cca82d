export { Export } from './Export.tsx'
