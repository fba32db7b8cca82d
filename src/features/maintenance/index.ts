export { discardDraftsAtom, hasDraftsAtom } from './drafts.ts'
export { MaintenanceLog } from './MaintenanceLog.tsx'
