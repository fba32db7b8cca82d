export { exportBackupAtom, exportLogAtom } from './atoms.ts'
export { Export, ExportStatus } from './Export.tsx'
