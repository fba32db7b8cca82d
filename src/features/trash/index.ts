export { default } from './TrashDialog.tsx'
