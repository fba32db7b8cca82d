export { FollowUpdates } from './FollowUpdates.tsx'
export { UpdateRides } from './UpdateRides.tsx'
