import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/setup-sample.ts',
  // Each worker has a tracker and a database of its own, so tests of one file can run in several workers.
  fullyParallel: true,
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  outputDir: 'test-results',
  use: {
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 1440, height: 900 },
    // A trace of every test costs a quarter of the time. To get one, run the failed test with `--trace on`.
    trace: 'off',
    // A test cannot stand between the worker and the network; those that are about it allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: findBrowser(),
      // Chromium's own calls home have nothing to find in a test.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
