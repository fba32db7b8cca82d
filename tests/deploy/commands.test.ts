import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { freePort } from '../running.ts'
import { documentedCommands, documentedScripts } from './documents.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

let emptied = 0
const run = (command: string) => sandbox.run(command)
const read = (file: string) => readFile(path.join(sandbox.root, file), 'utf8')
const get = async (url: string) => (await fetch(url)).text()

interface Way {
  pattern: RegExp
  /** Runs the command, and resolves to what came of it. */
  run: (command: string) => Promise<string>
  shows: RegExp
}

const RUNS: Way[] = [
  {
    pattern: /^npm ci && npm start$/,
    run: (command) => sandbox.serve(command, (url) => get(`${url}/config.json`)),
    shows: /"sample":true/,
  },
  { pattern: /^npm ci$/, run, shows: /up to date|added/ },
  { pattern: /^npm run backup\b/, run, shows: /\S+\.json/ },
  {
    pattern: /^npm run restore .* --sql restore\.sql$/,
    run: async (command) => `${await run(command)}${await read('restore.sql')}`,
    shows: /insert into/,
  },
  { pattern: /^npm run restore .* --replace$/, run, shows: /restored/i },
  {
    pattern: /^npm run restore \S+$/,
    // Into an empty tracker, which that of the sandbox is not.
    run: (command) => run(`TRACKER_DATA_DIR=~/empty-${++emptied} ${command}`),
    shows: /restored/i,
  },
  {
    pattern: /^SUPABASE_URL=\S+ SUPABASE_PUBLISHABLE_KEY=\S+ npm run build$/,
    run: async (command) => {
      await run(command)
      return (
        await Promise.all(['config.json', '_headers', 'vercel.json'].map((file) => read(`dist/${file}`)))
      ).join('')
    },
    shows: /"supabaseUrl": "(\S+)"[^]*connect-src 'self' \1;[^]*connect-src 'self' \1;/,
  },
  {
    pattern: /^SUPABASE_URL=\S+ SUPABASE_PUBLISHABLE_KEY=\S+ npm run doctor$/,
    // Where nobody answers, in place of a project that is somebody's.
    run: (command) => run(`${command.replace(/https:\S+/, 'http://127.0.0.1:9')} || true`),
    shows: /^problem +Hosted project +http:\/\/127\.0\.0\.1:9 cannot be reached/m,
  },
  {
    pattern: /^npx vite preview /,
    run: async (command) =>
      sandbox.serve(
        command.replace('5173', String(await freePort())),
        async (url) => `${await get(url)}${await get(`${url}/config.json`)}`,
      ),
    shows: /<title>RWGPS Maintenance Tracker<[^]*"sample": false/,
  },
  {
    pattern: /^npx supabase db push .*SUPABASE_DB_URL/,
    run: async (command) => `${await run(command)}${await run(command)}`,
    shows: /^(?![^]*WARN)[^]*Finished supabase db push[^]*up to date/,
  },
  { pattern: /^npx supabase db advisors .*SUPABASE_DB_URL/, run, shows: /No issues found|^\[\]$/m },
  { pattern: /^npx deno check /, run, shows: /Check/ },
  { pattern: /^npx deno bundle /, run, shows: /Bundled/ },
  { pattern: /^node -p /, run, shows: /^[\w-]{43}\n$/ },
]

/** What cannot be run here, and why. */
const NOT_HERE: [RegExp, string][] = [
  [/^npm ci && npm test$/, 'is what runs this test'],
  [/^git pull$/, 'needs a newer version'],
  [/^npx supabase (?:login|link|config push|secrets set)\b/, 'needs an account at Supabase'],
  [/^npx supabase db (?:push|query) --remote(?: |$)/, 'needs a linked project at Supabase'],
  [/^npx supabase migration repair --remote /, 'needs a linked project with older migrations'],
  [/^npx supabase functions deploy /, 'needs an account; functions.test.ts plays the other side'],
  [/^npx (?:netlify-cli|wrangler|vercel) /, 'needs an account at the static host'],
  [/^psql "\$SUPABASE_DB_URL" /, 'needs psql; backup.test.ts gives the same script to PostgreSQL'],
  [/npx supabase start\b/, 'needs Docker, or a download that is not on npm'],
  [/^curl http:\/\/127\.0\.0\.1:54321\//, 'needs what "supabase start" starts'],
]

const documented = await documentedCommands()
const runsOf = (command: string) => RUNS.filter(({ pattern }) => pattern.test(command))
const excusesOf = (command: string) => NOT_HERE.filter(([pattern]) => pattern.test(command))

test('every documented command is run here, or says why it cannot be', () => {
  expect(documented.length).toBeGreaterThan(25)
  const others = documented.filter(({ command }) => runsOf(command).length + excusesOf(command).length !== 1)
  expect(others).toEqual([])
})

test('nothing is excused that no document names', () => {
  const patterns = [...RUNS.map(({ pattern }) => pattern), ...NOT_HERE.map(([pattern]) => pattern)]
  const unused = patterns.filter((pattern) => !documented.some(({ command }) => pattern.test(command)))
  expect(unused).toEqual([])
})

const runnable = documented.flatMap(({ file, command }) =>
  runsOf(command).map((way) => ({ file, command, way })),
)
test.each(runnable)('$file: $command', async ({ command, way }) => {
  expect(await way.run(command)).toMatch(way.shows)
})

const ofSupabase = documented.filter(({ command }) => command.includes('npx supabase '))
test.each(ofSupabase)('the CLI knows $command, and where it is meant to act', async ({ file, command }) => {
  const [subcommand] = /^.*?npx supabase [a-z]+(?: [a-z]+)?/.exec(command)!
  const help = await sandbox.run(`${subcommand} --help`)
  for (const [, flag] of command.matchAll(/ (--[a-z-]+)/g)) expect(help).toContain(flag)
  const isLocal = /Local by default/.test(help) && !command.includes('--remote')
  expect(isLocal && file === 'docs/deploy.md').toBe(false)
})

test('every script that a document names exists', async () => {
  const scripts = await documentedScripts()
  expect(scripts.length).toBeGreaterThan(5)
  expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([])
})
