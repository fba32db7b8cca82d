// `npm test` checks a change, `npm run test:all` also what depends on the machine, and `npm run test:quick` only unit tests, types
// and lint. The last line is the total.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { startTestServerWithSample } from '../tests/postgres.ts'

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

interface Failure {
  title: string
  error: string
  /** Reruns the test. */
  command: string
}

interface Count {
  passed: number
  skipped: string[]
  failures: Failure[]
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
  status: string
  /** The error of a file that could not be loaded, or whose hooks failed. */
  message: string
  startTime: number
  endTime: number
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: {
    file: string
    line: number
    title: string
    tests: { status: string; results: { duration: number; errors: { message: string }[] }[] }[]
  }[]
}

const ERROR_LINES = 15

const flag = { type: 'boolean' } as const
const { quick, machine, all } = parseArgs({ options: { quick: flag, machine: flag, all: flag } }).values
const reports = await mkdtemp(path.join(tmpdir(), 'tracker-tests-'))
const report = (name: string) => path.join(reports, name)

const readJson = async (name: string) => JSON.parse(await readFile(report(name), 'utf8')) as unknown
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const pattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
const isFailed = ({ status }: { status: string }) => status === 'failed'

/** How often stories start again after the browser's own process died, which hangs its driver and says nothing about the page. */
const MAX_RESTARTS = 3
const hasOnlyHung = ({ failures }: Count) =>
  failures.length > 0 && failures.every(({ error }) => error.includes('The browser hangs in '))

// Tests often wait for processes they start, so runners have one worker more than there are cores.
const workers = availableParallelism() + 1
const format = { name: 'format', command: 'oxfmt --check' }
const lint = { name: 'lint', command: 'npm run --silent lint' }
const types = { name: 'types', command: 'npm run --silent check:types' }
const functions: Check = {
  name: 'functions',
  command: `npm run --silent test:functions -- --junit-path="${report('deno.xml')}"`,
  count: countDeno,
}
/** Stories of hosts, deployments, terminals and old browsers rather than of a change have the tag `@machine`. */
const playwright = (name: string, tagged: string): Check => ({
  name,
  command: `playwright test ${tagged} @machine --workers=${workers} --reporter=list,json`,
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report(`${name}.json`) },
  count: () => countPlaywright(`${name}.json`),
})
const vitest = (name: string, ...projects: string[]): Check => ({
  name,
  // Windows' shell only knows double quotes.
  command: `vitest run ${projects.map((project) => `--project "${project}"`).join(' ')} --maxWorkers=${workers} --silent --reporter=default --reporter=json --outputFile.json="${report(`${name}.json`)}"`,
  count: () => countVitest(`${name}.json`),
})

// Checks run one after another, the quickest first. Two at a time take a sixth more CPU time, and end later.
const ofMachine = [vitest('machine', 'machine*'), vitest('engines', 'engines'), playwright('hosts', '--grep')]
const inSeconds = [format, lint, types, functions, vitest('client', 'client*')]
const ofChange = [
  ...inSeconds,
  vitest('database and stack', '!client*', '!machine*', '!engines'),
  playwright('browser', '--grep-invert'),
]
const checks = quick ? inSeconds : [...(machine ? [] : ofChange), ...(machine || all ? ofMachine : [])]
const nameWidth = Math.max(...checks.map(({ name }) => name.length))

const stop = quick ? async () => undefined : await startTestServerWithSample()
const results: Result[] = []
for (const check of checks) results.push(await runTimed(check))
await stop()
await rm(reports, { recursive: true })
printSummary(results)

async function runTimed(check: Check): Promise<Result> {
  const started = Date.now()
  let count = await run(check)
  for (let restarts = 0; restarts < MAX_RESTARTS && hasOnlyHung(count); restarts++) {
    console.log(`${check.name}: the browser hung and starts again.`)
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    count = await run(check)
  }
  return { name: check.name, seconds: (Date.now() - started) / 1000, count }
}

async function run(check: Check): Promise<Count> {
  const { name, command, count } = check
  const { succeeded, output } = await execute(check)
  const failure = (error: string): Failure => ({ title: name, error, command })
  const counted: Partial<Count> = count
    ? await count().catch((error) => ({
        failures: [failure(`The report of this check is missing or unreadable. ${error}`)],
      }))
    : { passed: succeeded ? 1 : 0 }
  const { passed = 0, skipped = [], failures = [], files = [] } = counted
  // A runner can also fail without a failed test, for example if it crashes or finds no tests.
  if (!succeeded && failures.length === 0) failures.push(failure(output.slice(-ERROR_LINES).join('\n')))
  return { passed, skipped, failures, files }
}

/** Runs a check's command. Each line begins with the check's name. */
function execute({ name, command, env }: Check) {
  return new Promise<{ succeeded: boolean; output: string[] }>((resolve) => {
    const child = spawn(command, {
      shell: true,
      // The tests start many Node.js processes. Sharing compiled code saves a third of their CPU time.
      env: { ...process.env, NODE_COMPILE_CACHE: report('compiled'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output: string[] = []
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        output.push(line)
        console.log(`${name.padEnd(nameWidth)} │ ${line}`)
      })
    }
    child.once('close', (code) => resolve({ succeeded: code === 0, output }))
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
    skipped: named('skipped', 'pending', 'todo').map(({ file, fullName }) => `${file}: ${fullName}`),
    failures: [
      ...tests.filter(isFailed).map(({ file, fullName, failureMessages }) => ({
        title: `${file}: ${fullName}`,
        error: failureMessages.join('\n'),
        command: `npm run test:unit -- ${file} -t ${quoted(pattern(fullName))}`,
      })),
      ...testResults
        .filter((file) => file.status === 'failed' && !file.assertionResults.some(isFailed))
        .map(({ name, message }) => ({
          title: path.relative('.', name),
          error: message,
          command: `npm run test:unit -- ${path.relative('.', name)}`,
        })),
    ],
    files: testResults.map(({ name, startTime, endTime }) => [
      path.relative('.', name),
      (endTime - startTime) / 1000,
    ]),
  }
}

async function countDeno(): Promise<Partial<Count>> {
  const xml = await readFile(report('deno.xml'), 'utf8')
  const [, total, failures, errors] = /tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml)!
  const tests = xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<(?:failure|error)\b[^>]*>([^<]*)/g)
  return {
    passed: Number(total) - Number(failures) - Number(errors),
    failures: [...tests].map(([, title, error]) => ({
      title: unescaped(title!),
      error: unescaped(error!),
      command: `npm run test:functions -- --filter ${quoted(unescaped(title!))}`,
    })),
  }
}

function unescaped(xml: string): string {
  return xml.replaceAll(/&(\w+);/g, (text, name) => ENTITIES[name] ?? text)
}

async function countPlaywright(file: string): Promise<Partial<Count>> {
  const { suites } = (await readJson(file)) as { suites: PlaywrightSuite[] }
  const specs = suites.flatMap(specsIn)
  const named = (wanted: string) => specs.filter(({ tests }) => tests[0]?.status === wanted)
  const seconds = new Map<string, number>()
  for (const { file, tests } of specs) {
    const duration = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0)
    seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000)
  }
  return {
    passed: named('expected').length,
    skipped: named('skipped').map(({ file, title }) => `${file}: ${title}`),
    failures: named('unexpected').map(({ file, line, title, tests }) => ({
      title: `${file}: ${title}`,
      error: tests
        .flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message)))
        .join('\n'),
      command: `npm run test:browser -- tests/browser/${file}:${line} --trace on`,
    })),
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
    const failed = count.failures.length
    const mark = failed > 0 ? '✗' : '✓'
    console.log(
      `${mark} ${name.padEnd(20)} ${count.passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`,
    )
  }
  const skipped = all.flatMap(({ skipped }) => skipped)
  if (skipped.length > 0)
    console.log(`\n${skipped.length} skipped\n${skipped.map((name) => `  ${name}`).join('\n')}`)
  const failures = all.flatMap(({ failures }) => failures)
  if (failures.length > 0) console.log('\nFailed')
  for (const { title, error, command } of failures) {
    const lines = stripVTControlCharacters(error)
      .split('\n')
      .filter((line) => !line.includes('/node_modules/'))
    console.log(`✗ ${title}\n${lines.slice(0, ERROR_LINES).join('\n')}\nTo rerun: ${command}\n`)
  }
  console.log(`\n${sum(all.map((count) => count.passed))} passed, ${failures.length} failed`)
  process.exitCode = failures.length > 0 ? 1 : 0
}
