export { Export, ExportStatus } from './Export.tsx'
