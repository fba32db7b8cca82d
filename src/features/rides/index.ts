export { RidesList } from './RidesList.tsx'
