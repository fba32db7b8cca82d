import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'

// Workers also load this file, but must not install a browser again.
process.env.CHROME_PATH = findBrowser()

export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/setup-sample.ts',
  // Each worker has its own tracker and database, so one file's tests can run in several workers.
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
    contextOptions: { reducedMotion: 'reduce' },
    // Traces make tests slower. To get one, run a failed test with `--trace on`.
    trace: 'off',
    // Service workers hide their requests from tests, so only the tests of service workers allow them.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROME_PATH,
      // Turn off Chromium's own network requests.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages of the same site share a process, and nothing runs long enough to be worth optimizing.
        '--process-per-site',
        '--js-flags=--no-maglev --no-opt --single-threaded-gc',
        // Streaming parses the client again for each page, though its compiled code is in memory. This list replaces
        // Playwright's, so it repeats the features that matter here.
        '--disable-features=ScriptStreaming,PaintHolding,AvoidUnnecessaryBeforeUnloadCheckSync',
      ],
    },
  },
})
