// Global setup for Vitest projects and Playwright tests that start trackers with sample data.
export { startTestServerWithSample as default } from './postgres.ts'
