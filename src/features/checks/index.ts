export { ToCheck } from './ToCheck.tsx'
