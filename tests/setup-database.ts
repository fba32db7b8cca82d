// Vitest runs this before the first test of a project that needs a database, and Playwright before all of its tests.
export { startTestServer as default } from './postgres.ts'
