import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

/** Tests of the machine and its programs rather than of a change: `npm test` leaves them out, `npm run test:all` and CI run them. */
const OF_MACHINE = [
  'embedded/postgres/{cluster,external,lock,server}.test.ts',
  'tests/database/{backup,baseline,supabase-cli,upgrade}.test.ts',
  'tests/deploy/**/*.test.ts',
  'tests/stack/{backup,command-line,connect,data-api-oracle,database-servers,database-url,dev,disk-full,doctor,network,package,proxies,start,switch-account,terminal-output,unprivileged,upgrade}.test.ts',
]
const filesOf = (pattern: string | string[]) => globSync(pattern).map((file) => file.replaceAll('\\', '/'))
const ofMachine = new Set(filesOf(OF_MACHINE))

const minutes = (count: number) => count * 60_000

interface Files {
  include: string | string[]
  extends?: string
  globalSetup?: string
  restoreMocks?: boolean
}

// Files share workers and loaded modules, which halves the CPU time. Vitest only reuses a worker for files with the same
// environment, so files that need a document are in a separate project, and files that mock modules are isolated.
function projects(name: string, { include, extends: base, ...options }: Files): TestProjectConfiguration[] {
  const files = filesOf(include).filter((file) => name === 'machine' || !ofMachine.has(file))
  const kinds = Map.groupBy(files, (file) => {
    const text = readFileSync(file, 'utf8')
    if (text.includes('vi.mock(')) return '-mocks'
    return text.includes('@vitest-environment') ? '-dom' : ''
  })
  return Array.from(kinds, ([kind, files]) => ({
    ...(base ? { extends: base } : {}),
    test: {
      name: `${name}${kind}`,
      include: files,
      isolate: kind === '-mocks',
      // Many tests wait for processes they start, so three workers suit two cores. `npm test` sets its own number.
      maxWorkers: 3,
      setupFiles: 'tests/setup.ts',
      testTimeout: minutes(2),
      hookTimeout: minutes(2),
      // Slow machines need more than the default of one second.
      expect: { poll: { timeout: minutes(1) } },
      ...options,
    },
  }))
}

const database = 'tests/setup-database.ts'
const sample = 'tests/setup-sample.ts'

export default defineConfig({
  test: {
    projects: [
      // Creating a document is slower than most tests, so only files with `// @vitest-environment jsdom` get one.
      ...projects('client', {
        include: 'src/**/*.test.{ts,tsx}',
        extends: './vite.config.ts',
        restoreMocks: true,
      }),
      ...projects('unit', {
        include: '{bench,embedded,hosting,sample,scripts}/**/*.test.ts',
        globalSetup: database,
      }),
      ...projects('database', { include: 'tests/database/**/*.test.ts', globalSetup: database }),
      ...projects('sync', { include: 'tests/sync/**/*.test.ts', globalSetup: database }),
      ...projects('engines', {
        include: 'tests/engines/**/*.test.ts',
        globalSetup: sample,
      }),
      ...projects('stack', { include: 'tests/stack/**/*.test.ts', globalSetup: sample }),
      ...projects('machine', { include: OF_MACHINE, globalSetup: sample }),
    ],
  },
})
