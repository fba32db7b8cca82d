import { defineConfig } from 'vitest/config'

const minutes = (count: number) => count * 60_000

export default defineConfig({
  test: {
    // Many tests wait for processes they start, so three workers keep two cores busy. `npm test` sets its own number.
    maxWorkers: 3,
    projects: [
      {
        extends: './vite.config.ts',
        test: {
          name: 'client',
          setupFiles: 'tests/fixed-cases.ts',
          // Creating a document costs more than most tests. Those that need one say so: `// @vitest-environment jsdom`.
          environment: 'node',
          include: ['src/**/*.test.{ts,tsx}'],
          restoreMocks: true,
          testTimeout: minutes(1),
          hookTimeout: minutes(1),
        },
      },
      {
        test: {
          name: 'unit',
          globalSetup: 'tests/setup-database.ts',
          include: ['{embedded,hosting,sample,scripts}/**/*.test.ts'],
          testTimeout: minutes(1),
          hookTimeout: minutes(1),
        },
      },
      {
        test: {
          name: 'database',
          setupFiles: 'tests/fixed-cases.ts',
          globalSetup: 'tests/setup-database.ts',
          include: ['tests/database/**/*.test.ts'],
          testTimeout: minutes(2),
          hookTimeout: minutes(2),
        },
      },
      {
        test: {
          name: 'sync',
          setupFiles: 'tests/fixed-cases.ts',
          globalSetup: 'tests/setup-database.ts',
          include: ['tests/sync/**/*.test.ts'],
          testTimeout: minutes(2),
          hookTimeout: minutes(2),
        },
      },
      {
        test: {
          name: 'stack',
          globalSetup: 'tests/setup-sample.ts',
          include: ['tests/{deploy,stack}/**/*.test.ts'],
          testTimeout: minutes(2),
          hookTimeout: minutes(2),
        },
      },
    ],
  },
})
