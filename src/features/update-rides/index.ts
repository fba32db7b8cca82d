export { UpdateRides } from './UpdateRides.tsx'
