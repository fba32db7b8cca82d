export { syncRidesAtom } from './atoms.ts'
export { SyncRides, WatchSyncs } from './SyncRides.tsx'
