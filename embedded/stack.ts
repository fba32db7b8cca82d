import { SAMPLE_CREDENTIALS, startSampleServer } from '../sample/server.ts'
import { createApi } from './api.ts'
import { accountPrefix } from './data-folder.ts'
import { openDatabase } from './database.ts'
import { createDemoAccount } from './demo-account.ts'
import { startFunctions } from './functions.ts'
import { ensureOwner, type OwnerAccount } from './owner.ts'
import { isPortFree } from './port.ts'
import { startServer } from './postgres/server.ts'
import { syncRides, scheduleSync } from './sync.ts'
import { createDiskReserve } from './reserve.ts'
import { removeRunning, writeRunning } from './running.ts'
import { seedSampleLog } from './sample.ts'
import { readOrCreateSecrets, type Secrets } from './secrets.ts'
import { StartError, type Settings } from './settings.ts'
import { startWeb } from './web.ts'

export interface Stack {
  url: string
  owner: OwnerAccount
  dataFolder: string
  /** Rejects with a StartError if a service exits unexpectedly. */
  died: Promise<never>
  stop(): Promise<void>
}

/** Starts every service in dependency order. Stops them all if one fails to start. */
export async function startStack(settings: Settings): Promise<Stack> {
  await using starting = new AsyncDisposableStack()
  const url = `http://127.0.0.1:${settings.port}`
  const prefix = accountPrefix(settings)

  // Check the port before opening the database, so a conflict fails fast.
  await requireFreePort(settings.port)
  const server = await startServer(settings)
  starting.defer(() => server.stop())
  await removeRunning(settings.dataFolder)
  const secrets = await readOrCreateSecrets(`${prefix}-keys.json`)
  if (settings.functionSecrets.SCHEDULE_KEY) secrets.scheduleKey = settings.functionSecrets.SCHEDULE_KEY

  const database = await openDatabase(server.url, secrets, prefix)
  starting.defer(() => database.close())
  // Only one tracker runs on a database, so a sync that is still running was interrupted.
  await database.sql`update public.ride_syncs set outcome = 'interrupted', finished_at = now() where outcome = 'running'`

  const rwgps = await rideWithGps(settings, starting)
  const functions = await startFunctions({ ...functionEnvironment(url, secrets), ...rwgps })
  starting.defer(() => functions.stop())

  const config = {
    supabaseUrl: url,
    publishableKey: secrets.publishableKey,
    rwgpsUrl: rwgps.RWGPS_BASE_URL,
    sample: settings.account === 'sample',
  }
  const api = createApi(database, secrets, {
    siteUrl: url,
    ...(settings.databaseUrl ? {} : { freeDiskSpace: await createDiskReserve(settings.dataFolder) }),
  })
  const { port, dev } = settings
  const hasDemoAccount = createDemoAccount(database, secrets)
  const stopWeb = await startWeb({
    port,
    dev,
    api,
    functionsUrl: functions.url,
    config,
    hasDemoAccount,
  }).catch(async (error) => {
    // Another program may have taken the port since the first check.
    await requireFreePort(port)
    throw error
  })
  starting.defer(stopWeb)

  if (settings.account === 'sample') {
    const sync = await syncRides(url, secrets.scheduleKey)
    if (sync.ok) await seedSampleLog(database.sql, prefix)
  }
  if (settings.syncCron) starting.defer(scheduleSync(settings.syncCron, url, secrets.scheduleKey))

  // Create the owner last, so a generated password is always printed.
  const owner = await ensureOwner(database, secrets, settings)
  starting.defer(await writeRunning(settings.dataFolder, { url, account: settings.account }))
  const running = starting.move()
  return {
    url,
    owner,
    dataFolder: settings.dataFolder,
    died: Promise.race([
      functions.died.then(() => {
        throw new StartError(
          'The edge functions stopped unexpectedly. Check their last log lines above, then start again.',
        )
      }),
      server.died.then((lastOutput) => {
        throw new StartError(`PostgreSQL stopped unexpectedly. Start again.\n${lastOutput}`)
      }),
    ]),
    stop: () => running.disposeAsync(),
  }
}

/** Returns the Ride with GPS URL and credentials. Starts the sample server for the sample account. */
async function rideWithGps(settings: Settings, starting: AsyncDisposableStack) {
  if (settings.account === 'owner') {
    const { SCHEDULE_KEY: _, ...credentials } = settings.functionSecrets
    return { RWGPS_BASE_URL: 'https://ridewithgps.com', ...credentials }
  }
  const sample = await startSampleServer()
  starting.defer(() => sample.close())
  const { apiKey, email, password } = SAMPLE_CREDENTIALS
  return { RWGPS_BASE_URL: sample.url, RWGPS_API_KEY: apiKey, RWGPS_EMAIL: email, RWGPS_PASSWORD: password }
}

function functionEnvironment(url: string, secrets: Secrets) {
  return {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
    SCHEDULE_KEY: secrets.scheduleKey,
  }
}

async function requireFreePort(port: number): Promise<void> {
  if (await isPortFree(port)) return
  throw new StartError(`Port ${port} is taken. Stop the program that uses it, or set PORT to another number.`)
}
