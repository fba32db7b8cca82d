import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

const minutes = (count: number) => count * 60_000

interface Files {
  include: string
  extends?: string
  globalSetup?: string
  restoreMocks?: boolean
}

/**
 * A project whose files share a worker and its loaded modules, which halves their CPU time. Files that mock modules each
 * get a worker of their own, in a second project.
 */
function project(name: string, { include, extends: base, ...options }: Files): TestProjectConfiguration[] {
  const mocking = globSync(include).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('))
  const test = {
    setupFiles: 'tests/fixed-cases.ts',
    testTimeout: minutes(2),
    hookTimeout: minutes(2),
    ...options,
  }
  const shared = { ...test, name, include: [include], exclude: mocking, isolate: false }
  const isolated = { ...test, name: `${name}-mocks`, include: mocking }
  return (mocking.length > 0 ? [shared, isolated] : [shared]).map((test) => ({
    ...(base ? { extends: base } : {}),
    test,
  }))
}

const database = 'tests/setup-database.ts'

export default defineConfig({
  test: {
    // Many tests wait for processes they start, so three workers keep two cores busy. `npm test` sets its own number.
    maxWorkers: 3,
    projects: [
      // Creating a document costs more than most tests. Those that need one say so: `// @vitest-environment jsdom`.
      ...project('client', {
        include: 'src/**/*.test.{ts,tsx}',
        extends: './vite.config.ts',
        restoreMocks: true,
      }),
      ...project('unit', {
        include: '{embedded,hosting,sample,scripts}/**/*.test.ts',
        globalSetup: database,
      }),
      ...project('database', { include: 'tests/database/**/*.test.ts', globalSetup: database }),
      ...project('sync', { include: 'tests/sync/**/*.test.ts', globalSetup: database }),
      ...project('stack', {
        include: 'tests/{deploy,stack}/**/*.test.ts',
        globalSetup: 'tests/setup-sample.ts',
      }),
    ],
  },
})
