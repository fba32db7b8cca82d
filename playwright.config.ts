import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/browser',
  // Each worker has a stack of its own, a database and all. A test waits half of its time: three at once keep two cores busy.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  // CI's machine is busy with other work at times; what passes only the second time is named as flaky in the output.
  retries: process.env.CI ? 1 : 0,
  outputDir: 'test-results',
  use: {
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 1440, height: 900 },
    // A trace of every test costs a quarter of the time: `--trace on` makes one of what failed.
    trace: 'on-first-retry',
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
