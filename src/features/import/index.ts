export { chooseImportFile, ImportFile } from './ImportFile.tsx'
