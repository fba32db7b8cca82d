// Global setup for Vitest projects and Playwright tests that start trackers with the sample.
export { startTestServerWithSample as default } from './postgres.ts'
