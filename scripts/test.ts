// `npm test` runs every check except the stress tests; `npm run test:quick` runs unit tests, types and lint. The last line is the total.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startTestServerWithSample } from '../tests/postgres.ts'

interface Count {
  passed: number
  failed: number
  skipped: string[]
  /** Commands that rerun the failed tests. */
  commands: string[]
  files: [file: string, seconds: number][]
}

interface Check {
  name: string
  command: string
  env?: Record<string, string>
  /** Reads the command's report. If absent, the command counts as one test. */
  count?: () => Promise<Partial<Count>>
}

interface Result {
  name: string
  seconds: number
  count: Count
}

interface VitestFile {
  name: string
  startTime: number
  endTime: number
  assertionResults: { fullName: string; status: string }[]
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: {
    file: string
    line: number
    title: string
    tests: { status: string; results: { duration: number }[] }[]
  }[]
}

const { quick } = parseArgs({ options: { quick: { type: 'boolean' } } }).values
const reports = await mkdtemp(path.join(tmpdir(), 'tracker-tests-'))
const report = (name: string) => path.join(reports, name)

const readJson = async (name: string) => JSON.parse(await readFile(report(name), 'utf8')) as unknown
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const pattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

// Tests often wait for processes they start, so both runners combined have more workers than there are cores.
const workers = Math.ceil(availableParallelism() * 0.75)
const format = { name: 'format', command: 'oxfmt --check' }
const lint = { name: 'lint', command: 'npm run --silent lint' }
const types = { name: 'types', command: 'npm run --silent check:types' }
const functions: Check = {
  name: 'functions',
  command: `npm run --silent test:functions -- --junit-path=${report('deno.xml')}`,
  count: countDeno,
}
const browser: Check = {
  name: 'browser',
  command: `playwright test --workers=${workers} --reporter=list,json`,
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright.json') },
  count: countPlaywright,
}
const vitest = (name: string, ...projects: string[]): Check => ({
  name,
  command: `vitest run ${projects.map((project) => `--project '${project}'`).join(' ')} --maxWorkers=${workers} --silent --reporter=default --reporter=json --outputFile.json='${report(`${name}.json`)}'`,
  count: () => countVitest(`${name}.json`),
})
const client = vitest('client', 'client*')
const engines = vitest('engines', 'engines')

// Lanes run in parallel, and each lane runs its checks in order. Both lanes need about the same time.
const lanes: Check[][] = quick
  ? [
      [types, functions],
      [lint, format, client],
    ]
  : [
      [vitest('database and stack', '!client*', '!engines')],
      [browser, engines, client, types, functions, lint, format],
    ]
const nameWidth = Math.max(...lanes.flat().map(({ name }) => name.length))

const stop = quick ? async () => undefined : await startTestServerWithSample()
const results = (await Promise.all(lanes.map(runLane))).flat()
await stop()
await rm(reports, { recursive: true })
printSummary(results)

async function runLane(lane: Check[]): Promise<Result[]> {
  const results: Result[] = []
  for (const check of lane) results.push(await runTimed(check))
  return results
}

async function runTimed(check: Check): Promise<Result> {
  const started = Date.now()
  const count = await run(check)
  return { name: check.name, seconds: (Date.now() - started) / 1000, count }
}

async function run(check: Check): Promise<Count> {
  const { command, count } = check
  const succeeded = await execute(check)
  const counted: Partial<Count> = count
    ? await count().catch((error) => {
        console.error('The report of this check is missing or unreadable.', error)
        return { failed: 1 }
      })
    : { passed: succeeded ? 1 : 0 }
  const { passed = 0, failed = 0, skipped = [], commands = [], files = [] } = counted
  // A runner can also fail without a failed test, for example if it crashes or finds no tests.
  if (succeeded) return { passed, failed, skipped, commands, files }
  return {
    passed,
    failed: Math.max(failed, 1),
    skipped,
    commands: commands.length > 0 ? commands : [command],
    files,
  }
}

/** Runs a check's command. Prefixes each line with the check's name, because other checks run at the same time. */
function execute({ name, command, env }: Check) {
  return new Promise<boolean>((resolve) => {
    const child = spawn(command, {
      shell: true,
      // The tests start many Node.js processes. Sharing compiled code saves a third of their CPU time.
      env: { ...process.env, NODE_COMPILE_CACHE: report('compiled'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => console.log(`${name.padEnd(nameWidth)} │ ${line}`))
    }
    child.once('close', (code) => resolve(code === 0))
  })
}

async function countVitest(file: string): Promise<Partial<Count>> {
  const { testResults } = (await readJson(file)) as { testResults: VitestFile[] }
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: path.relative('.', name) })),
  )
  const named = (...wanted: string[]) => tests.filter(({ status }) => wanted.includes(status))
  return {
    passed: named('passed').length,
    failed: named('failed').length,
    skipped: named('skipped', 'pending', 'todo').map(({ file, fullName }) => `${file}: ${fullName}`),
    commands: named('failed').map(
      ({ file, fullName }) => `npx vitest run ${file} -t ${quoted(pattern(fullName))}`,
    ),
    files: testResults.map(({ name, startTime, endTime }) => [
      path.relative('.', name),
      (endTime - startTime) / 1000,
    ]),
  }
}

async function countDeno(): Promise<Partial<Count>> {
  const xml = await readFile(report('deno.xml'), 'utf8')
  const [, total, failures, errors] = /tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml)!
  const failed = Number(failures) + Number(errors)
  const names = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<(?:failure|error)\b/g)].map(
    ([, name]) => name!,
  )
  return {
    passed: Number(total) - failed,
    failed,
    commands: names.map((name) => `npm run test:functions -- --filter ${quoted(name)}`),
  }
}

async function countPlaywright(): Promise<Partial<Count>> {
  const { suites } = (await readJson('playwright.json')) as { suites: PlaywrightSuite[] }
  const specs = suites.flatMap(specsIn)
  const named = (wanted: string) => specs.filter(({ tests }) => tests[0]?.status === wanted)
  const seconds = new Map<string, number>()
  for (const { file, tests } of specs) {
    const duration = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0)
    seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000)
  }
  return {
    passed: named('expected').length,
    failed: named('unexpected').length,
    skipped: named('skipped').map(({ file, title }) => `${file}: ${title}`),
    commands: named('unexpected').map(
      ({ file, line }) => `npx playwright test tests/browser/${file}:${line} --trace on`,
    ),
    files: [...seconds].map(([file, seconds]) => [`tests/browser/${file}`, seconds]),
  }
}

function specsIn({ suites = [], specs }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsIn)]
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function printSummary(results: Result[]): void {
  const all = results.map(({ count }) => count)
  const slowest = all.flatMap(({ files }) => files).toSorted(([, one], [, other]) => other - one)
  if (!quick) {
    console.log('\nSlowest files')
    for (const [file, seconds] of slowest.slice(0, 20))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
  }
  console.log()
  for (const { name, seconds, count } of results) {
    const mark = count.failed > 0 ? '✗' : '✓'
    console.log(
      `${mark} ${name.padEnd(20)} ${count.passed} passed, ${count.failed} failed, ${seconds.toFixed(1)} s`,
    )
  }
  const skipped = all.flatMap(({ skipped }) => skipped)
  if (skipped.length > 0)
    console.log(`\n${skipped.length} skipped\n${skipped.map((name) => `  ${name}`).join('\n')}`)
  const commands = all.flatMap(({ commands }) => commands)
  if (commands.length > 0)
    console.log(`\nFailed. To rerun:\n${commands.map((command) => `  ${command}`).join('\n')}`)
  const failed = sum(all.map((count) => count.failed))
  console.log(`\n${sum(all.map((count) => count.passed))} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
