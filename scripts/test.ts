// `npm test`: every check, in the order in which a mistake is found fastest. The last line counts all of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findBrowser } from './browser.ts'

interface Count {
  passed: number
  failed: number
  /** The tests that failed, to be named once more at the end, where the end is all that one reads. */
  names: string[]
}

interface Check {
  name: string
  command: string[]
  env?: Record<string, string>
  /** Counts the tests in the report that the command wrote; without it the command is one test. */
  count?: () => Promise<Count>
}

/** What is read of a file in vitest's report. */
interface VitestFile {
  name: string
  assertionResults: { fullName: string; status: string }[]
}

/** What is read of a file, or of a describe in it, in Playwright's report. */
interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { file: string; title: string; ok: boolean }[]
}

const reports = await mkdtemp(path.join(tmpdir(), 'tracker-tests-'))
const report = (name: string) => path.join(reports, name)

const checks: Check[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'check:types'] },
  {
    name: 'unit and database',
    command: [
      'vitest',
      'run',
      // CI's machine is busy with other work at times.
      ...(process.env['CI'] ? ['--retry=1'] : []),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report('vitest.json')}`,
    ],
    count: async () => {
      const { numPassedTests, numPendingTests, numTotalTests, success, testResults } = await readJson(
        report('vitest.json'),
      )
      const failed = numTotalTests - numPassedTests - numPendingTests
      const names = testResults.flatMap(({ name, assertionResults }: VitestFile) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName }) => `${path.relative('.', name)}: ${fullName}`),
      )
      return { passed: numPassedTests, failed: success ? failed : Math.max(failed, 1), names }
    },
  },
  {
    name: 'functions',
    command: ['npm', 'run', '--silent', 'test:functions', '--', `--junit-path=${report('deno.xml')}`],
    count: async () => {
      const xml = await readFile(report('deno.xml'), 'utf8')
      const [, total, failures, errors] = /tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml)!
      const failed = Number(failures) + Number(errors)
      const names = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<(?:failure|error)\b/g)]
      return { passed: Number(total) - failed, failed, names: names.map(([, name]) => name!) }
    },
  },
  {
    name: 'browser',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright.json') },
    count: async () => {
      const { stats, suites } = await readJson(report('playwright.json'))
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        names: suites.flatMap(failures),
      }
    },
  },
]

const total: Count = { passed: 0, failed: 0, names: [] }
const lines: string[] = []
for (const check of checks) {
  const started = Date.now()
  const { passed, failed, names } = await run(check)
  total.passed += passed
  total.failed += failed
  total.names.push(...names)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  lines.push(
    `${failed > 0 ? '✗' : '✓'} ${check.name.padEnd(20)} ${passed} passed, ${failed} failed, ${seconds} s`,
  )
}
await rm(reports, { recursive: true })
console.log(`\n${[...lines, ...total.names.map((name) => `  ${name}`)].join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function run({ name, command, env, count }: Check): Promise<Count> {
  console.log(`\n── ${name}`)
  try {
    const succeeded = await execute(command, {
      ...env,
      ...(name === 'browser' ? { CHROME_PATH: findBrowser() } : {}),
    })
    const counted = (await count?.()) ?? { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, names: [] }
    // A runner that failed without a failed test (none found, a crash) has failed all the same.
    return succeeded ? counted : { ...counted, failed: Math.max(counted.failed, 1) }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1, names: [] }
  }
}

async function execute([program, ...args]: string[], env: Record<string, string>): Promise<boolean> {
  const child = spawn(program!, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = await once(child, 'exit')
  return code === 0
}

function failures({ suites = [], specs }: PlaywrightSuite): string[] {
  const here = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`)
  return [...here, ...suites.flatMap(failures)]
}

async function readJson(file: string) {
  return JSON.parse(await readFile(file, 'utf8'))
}
