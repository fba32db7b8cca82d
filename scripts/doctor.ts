import { styleText } from 'node:util'
import { readCommandLine, runCommand } from '../embedded/command-line.ts'
import { ROOT } from '../embedded/installation.ts'
import {
  type Environment,
  readCron,
  readDatabaseUrl,
  readDataFolder,
  readFunctionSecrets,
  readPort,
  readTargets,
  StartError,
} from '../embedded/settings.ts'
import { hostedEnvironment } from '../hosting/settings.ts'
import type { Check, CheckResult } from './doctor/check.ts'
import { checkHostedProject } from './doctor/hosted-project.ts'
import {
  checkChannels,
  checkDatabase,
  checkDataFolder,
  checkFunctions,
  checkPort,
  checkSchedule,
  findTracker,
} from './doctor/local.ts'
import { checkRideWithGps } from './doctor/ride-with-gps.ts'

readCommandLine({
  name: 'doctor',
  about: 'Checks your setup and tells you how to fix what is wrong. Changes nothing.',
})

const { env } = process
const counts = { ok: 0, warning: 0, problem: 0 }
const COLORS = { ok: 'green', warning: 'yellow', problem: 'red' } as const

await runCommand(async () => {
  const secrets = readFunctionSecrets(env)
  const dataFolder = readDataFolder(env)
  const tracker = await findTracker(dataFolder)

  await run('Ride with GPS', () => checkRideWithGps(secrets))
  await run('Port', () => checkPort(readPort(env.PORT), tracker))
  await run('Data folder', () => checkDataFolder(dataFolder, secrets, tracker))
  if (env.DATABASE_URL) await run('Database', () => checkDatabase(readDatabaseUrl(env)!, secrets))
  await run('Schedule', () => checkSchedule(readCron(env.RIDES_REFRESH_CRON), secrets))
  await run('Notifications', () => checkChannels(secrets))
  if (tracker) await run('Tracker', () => checkFunctions(tracker))
  const hosted = hostedEnvironment(env, ROOT)
  if (hosted.SUPABASE_URL || hosted.SUPABASE_PUBLISHABLE_KEY)
    await run('Hosted project', () => hostedProject(hosted))

  const totals = (['problem', 'warning'] as const)
    .filter((mark) => counts[mark] > 0)
    .map((mark) => `${counts[mark]} ${mark}${counts[mark] === 1 ? '' : 's'}`)
  console.log(`\n${totals.join(', ') || 'Everything is fine'}.`)
  if (counts.problem > 0) process.exit(1)
})

async function run(topic: string, check: Check): Promise<void> {
  try {
    for await (const result of check()) print(topic, result)
  } catch (error) {
    print(topic, { mark: 'problem', text: error instanceof Error ? error.message : String(error) })
  }
}

function print(topic: string, { mark, text }: CheckResult): void {
  counts[mark] += 1
  console.log(`${styleText(COLORS[mark], mark.padEnd(8))} ${topic.padEnd(16)} ${text}`)
}

function hostedProject(hosted: Environment): AsyncIterable<CheckResult> {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey } = hosted
  if (!url || !publishableKey) {
    throw new StartError('Set both SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY, or neither.')
  }
  readTargets(hosted)
  return checkHostedProject({
    url: url.replace(/\/+$/, ''),
    publishableKey,
    client: hosted.TRACKER_URL,
    scheduleKey: hosted.SCHEDULE_KEY,
    vapidPublicKey: hosted.VAPID_PUBLIC_KEY || undefined,
  })
}
