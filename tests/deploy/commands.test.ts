import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createMigrated, prepareSample, type Prepared } from '../postgres.ts'
import { documentedCommands, documentedScripts } from './documents.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

let sandbox: Sandbox
let sample: Prepared
beforeAll(async () => {
  sample = await prepareSample()
  sandbox = await openSandbox(sample.environment)
})
afterAll(async () => {
  await sandbox.close()
  await sample.remove()
})

const run = (command: string) => sandbox.run(command)
const read = (file: string) => readFile(path.join(sandbox.root, file), 'utf8')
const get = async (url: string) => (await fetch(url)).text()

interface Runner {
  pattern: RegExp
  run: (command: string) => Promise<string>
  expected: RegExp
}

const RUNNERS: Runner[] = [
  {
    pattern: /^npm ci && npm start$/,
    run: (command) => sandbox.serve(command, (url) => get(`${url}/config.json`)),
    expected: /"sample":true/,
  },
  { pattern: /^npm run backup\b/, run, expected: /\S+\.json/ },
  {
    pattern: /^npm run restore .* --sql restore\.sql$/,
    run: async (command) => `${await run(command)}${await read('restore.sql')}`,
    expected: /insert into/,
  },
  { pattern: /^npm run restore .* --replace$/, run, expected: /restored/i },
  {
    pattern: /^npm run restore \S+$/,
    run: async (command) => {
      // The sandbox's own tracker isn't empty.
      const { url, drop } = await createMigrated()
      return run(`DATABASE_URL='${url}' ${command}`).finally(drop)
    },
    expected: /restored/i,
  },
  {
    pattern: /^npm run switch-account$/,
    // The sandbox has only the sample. tests/stack/switch-account.test.ts switches an account.
    run: (command) => run(`${command} || true`),
    expected: /The sample has no Ride with GPS account/,
  },
  {
    pattern: /^npm run connect$/,
    // Only checks that the prompt appears. tests/stack/connect.test.ts connects an account.
    run: (command) => run(`${command} </dev/null || true`),
    expected: /Enter the API key/,
  },
  {
    pattern: /^npm run --silent connect -- --print >> supabase\/\.env\.hosted$/,
    run: (command) => run(`${command} </dev/null || true`),
    expected: /Enter the API key/,
  },
  {
    pattern: /^npm run deploy$/,
    // Only tests the first run, which creates the file to fill in. deploy.test.ts deploys to a fake API.
    run: (command) => run(`${command} || true`),
    expected: /Fill in supabase\/\.env\.hosted/,
  },
  {
    pattern: /^npm run doctor$/,
    // Checks an address without a server instead of a real project.
    run: (command) =>
      run(`SUPABASE_URL=http://127.0.0.1:9 SUPABASE_PUBLISHABLE_KEY=sb_publishable_x ${command} || true`),
    expected: /^problem +Hosted project +http:\/\/127\.0\.0\.1:9 cannot be reached/m,
  },
  { pattern: /^npx deno bundle .*update-rides/, run, expected: /Bundled/ },
]

const EXCUSED: [RegExp, string][] = [
  [/^npm ci && npm test$/, 'is what runs this test'],
  [/^npm (?:ci|start)$/, '"npm ci && npm start" runs it, too'],
  [/^npm ci && npm pack$/, 'package.test.ts packs and installs the package'],
  [
    /^(?:\w+=\S+ )*(?:\w+='[^']+' )?(?:npx \.\/rwgps-maintenance-tracker-\S+\.tgz|rwgps-maintenance-tracker)$/,
    'package.test.ts runs the package',
  ],
  [/^(?:sudo )?npm install .*\.\/rwgps-maintenance-tracker-/, 'package.test.ts installs the package'],
  [
    /^SUPABASE_URL=http\S+ SUPABASE_PUBLISHABLE_KEY=\S+ npm run build$/,
    'deploy.test.ts builds with these variables',
  ],
  [/^npm run preview -- --host 127\.0\.0\.1 --port 5173$/, 'deploy.test.ts runs the same with another port'],
  [/^tailscale serve /, 'needs an account at Tailscale'],
  [/^caddy reverse-proxy /, 'needs a domain'],
  [
    /^(?:sudo (?:useradd|install|systemctl|--user=\S+)|journalctl|rwgps-maintenance-tracker unit) /,
    'needs systemd; home.test.ts checks the unit',
  ],
  [/(?:^|\s)(?:podman|docker compose) /, 'needs Podman or Docker'],
  [/^curl http:\/\/127\.0\.0\.1:5173\/healthz$/, 'package.test.ts checks the health'],
  [/^curl --oauth2-bearer /, 'other-tools.test.ts runs it'],
  [
    /^npm run supabase -- db (?:push|advisors) .*SUPABASE_DB_URL/,
    'supabase-cli.test.ts runs the same on a database',
  ],
  [
    /^npm run supabase -- migration repair /,
    'deploy.test.ts compares the lines with what "npm run deploy" prints',
  ],
  [/^(?:key=\$\(printf |\{ printf |openssl dgst )/, 'other-tools.test.ts runs the whole script'],
  [/^npx deno check /, '"npm run check:types" checks the same files'],
  [/^git pull$/, 'needs a newer version'],
  [/^npm run supabase -- login$/, 'needs an account at Supabase'],
  [
    /^npm run supabase -- db query --file \w+\.sql --remote=[a-z]{20}$/,
    'needs a project at Supabase; upgrade.test.ts runs the same on a database',
  ],
  [/^npm run supabase -- secrets unset .* --remote=[a-z]{20}$/, 'needs a project at Supabase'],
  [/^npx (?:netlify-cli|wrangler|vercel) /, 'needs an account at the static host'],
  [/^psql "\$SUPABASE_DB_URL" /, 'needs psql; backup.test.ts runs the same script'],
  [/npm run supabase -- (?:start|test)\b/, 'needs Docker or a download that is not on npm'],
  [/^curl http:\/\/127\.0\.0\.1:54321\//, 'needs "supabase start"'],
]

const documented = await documentedCommands()
const runnersOf = (command: string) => RUNNERS.filter(({ pattern }) => pattern.test(command))
const excusesFor = (command: string) => EXCUSED.filter(([pattern]) => pattern.test(command))

test('every documented command runs here or has an excuse', () => {
  expect(documented.length).toBeGreaterThan(25)
  const others = documented.filter(
    ({ command }) => runnersOf(command).length + excusesFor(command).length !== 1,
  )
  expect(others).toEqual([])
})

test('every runner and excuse matches a documented command', () => {
  const patterns = [...RUNNERS.map(({ pattern }) => pattern), ...EXCUSED.map(([pattern]) => pattern)]
  const unused = patterns.filter((pattern) => !documented.some(({ command }) => pattern.test(command)))
  expect(unused).toEqual([])
})

const runnable = documented.flatMap(({ file, command }) =>
  runnersOf(command).map((runner) => ({ file, command, runner })),
)
test.each(runnable)('$file: $command', async ({ command, runner }) => {
  expect(await runner.run(command)).toMatch(runner.expected)
})

// The CLI's completions contain every subcommand's flags, so run it once per environment.
const completions = new Map<string, Promise<string>>()
function completionsIn(environment: string): Promise<string> {
  const known =
    completions.get(environment) ??
    sandbox.run(`${environment}npm run --silent supabase -- --completions zsh`)
  completions.set(environment, known)
  return known
}

const supabaseCommands = documented.filter(({ command }) => command.includes('npm run supabase -- '))
test.each(supabaseCommands)(
  'the CLI supports $command and acts on the intended database',
  async ({ file, command }) => {
    const [, environment, name] = /^(.*?)npm run supabase -- ([a-z]+(?: [a-z]+)?)/.exec(command)!
    const text = await completionsIn(environment!)
    const [, known] = new RegExp(`^_supabase_${name!.replace(' ', '_')}\\(\\) \\{\n([^]*?)^\\}`, 'm').exec(
      text,
    )!
    // Completions leave out global flags. Other tests run the CLI with `--yes`.
    for (const [, flag] of command.matchAll(/ (--(?!yes\b)[a-z-]+)/g)) expect(known).toContain(`${flag}[`)
    // Commands that support `--remote` use the local database without it. Other commands use the linked project.
    const isLocal = known!.includes('--remote[Target a remote database') && !command.includes('--remote')
    expect(isLocal && file === 'docs/deploy.md').toBe(false)
  },
)

test('Git ignores the copies of rides that documented commands leave in the project', async () => {
  const files = documented.flatMap(({ command }) =>
    /^npm run (?:backup|restore)\b/.test(command)
      ? (command.match(/(?<=\s)[\w.-]+\.(?:json|sql)\b/g) ?? [])
      : [],
  )
  expect(files).toContain('restore.sql')
  await sandbox.run(`cp ${path.resolve('.gitignore')} . && git init --quiet`)
  const ignored = await sandbox.run(`git check-ignore ${[...files, 'tracker.json'].join(' ')}`)
  expect(ignored.trim().split('\n')).toEqual([...files, 'tracker.json'])
})

test('every documented npm script exists', async () => {
  const scripts = await documentedScripts()
  expect(scripts.length).toBeGreaterThan(5)
  expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([])
})
