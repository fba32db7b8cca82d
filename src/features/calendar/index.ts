export { default } from './CalendarDialog.tsx'
