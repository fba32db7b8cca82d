export { SyncRides, WatchSyncs } from './SyncRides.tsx'
