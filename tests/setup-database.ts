// Global setup for Vitest projects and Playwright tests that need a database.
export { startTestServer as default } from './postgres.ts'
