export { forgetBrowser } from './api.ts'
export { default } from './NotificationsDialog.tsx'
