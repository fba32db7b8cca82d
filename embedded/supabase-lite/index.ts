/**
 * Everything that knows how Supabase Lite works inside. It is an alpha version, so each part that it doesn't document is checked at
 * the start (hooks.ts). What protects the tracker from requests is outside, in embedded.
 */
export { createApp, type App, type AppOptions } from './app.ts'
export { openConnection, type Connection } from './connection.ts'
export { answerOrFail, type Failure } from './request-session.ts'
