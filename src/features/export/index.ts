export { Export } from './Export.tsx'
export { KEY_HEADERS } from './key-headers.ts'
