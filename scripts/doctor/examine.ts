import {
  readCron,
  readDataFolder,
  readFunctionSecrets,
  readPort,
  requireScheduleKey,
  type Settings,
  StartError,
  whichAccount,
} from '../../embedded/settings.ts'
import { checkData } from './data.ts'
import { createReport, type Finding, ok } from './finding.ts'
import { checkNode, checkPackages } from './packages.ts'
import { checkProject } from './project.ts'
import { checkRideWithGps } from './ride-with-gps.ts'
import { checkFunctions, checkPort, findTracker } from './running.ts'

const { env } = process
const { counts, examine } = createReport()

await examine('Node.js', checkNode)
await examine('Packages', checkPackages)

const secrets = readFunctionSecrets(env)
await examine('Ride with GPS', () => checkRideWithGps(secrets))

const dataFolder = readDataFolder(env)
const tracker = await findTracker(dataFolder)
await examine('Port', () => checkPort(readPort(env.PORT), tracker))
await examine('Data folder', () => checkData({ dataFolder, account: accountOf(secrets) }, tracker))
await examine('Schedule', checkSchedule)
if (tracker) await examine('Tracker', () => checkFunctions(tracker))

if (env.SUPABASE_URL || env.SUPABASE_PUBLISHABLE_KEY) await examine('Hosted project', checkHosted)

const told = (['problem', 'warning'] as const)
  .filter((mark) => counts[mark] > 0)
  .map((mark) => `${counts[mark]} ${mark}${counts[mark] === 1 ? '' : 's'}`)
console.log(`\n${told.join(', ') || 'Everything is right'}.`)
process.exitCode = counts.problem > 0 ? 1 : 0

/** Half a set of credentials was told already; it is about the owner's own account. */
function accountOf(secrets: Record<string, string>): Settings['account'] {
  try {
    return whichAccount(secrets)
  } catch {
    return 'owner'
  }
}

function checkSchedule(): Finding[] {
  requireScheduleKey(secrets)
  const cron = readCron(env.RIDES_REFRESH_CRON)
  return [
    ok(cron === null ? 'Rides are refreshed by hand alone.' : `Rides are refreshed by themselves: ${cron}`),
  ]
}

function checkHosted(): AsyncIterable<Finding> {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey } = env
  if (!url || !publishableKey) {
    throw new StartError('Set both SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY, or neither.')
  }
  return checkProject({ url, publishableKey })
}
