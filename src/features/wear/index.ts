export { Wear } from './Wear.tsx'
