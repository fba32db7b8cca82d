export { MaintenanceLog } from './MaintenanceLog.tsx'
