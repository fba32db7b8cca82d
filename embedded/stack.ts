import { SAMPLE_CREDENTIALS, startSampleServer } from '../sample/server.ts'
import { createBackupApi } from './backup/api.ts'
import { createApi, openDatabase } from './database.ts'
import { databaseFolderOf, takeDataFolder } from './data-folder.ts'
import { startFunctions } from './functions.ts'
import { ensureOwner, type OwnerAccount } from './owner.ts'
import { isPortFree } from './port.ts'
import { refreshRides, scheduleRefresh } from './refresh.ts'
import { forgetRunning, sayRunning } from './running.ts'
import { seedSampleLog } from './sample.ts'
import { readOrCreateSecrets, type Secrets } from './secrets.ts'
import { StartError, type Settings } from './settings.ts'
import { startWeb } from './web.ts'

export interface Stack {
  url: string
  owner: OwnerAccount
  databaseFolder: string
  /** Settles when a part of the stack ended by itself. */
  died: Promise<void>
  stop(): Promise<void>
}

/** Brings everything up, in the order in which the parts need one another; on a failure all of it is down again. */
export async function startStack(settings: Settings): Promise<Stack> {
  await using starting = new AsyncDisposableStack()
  const url = `http://127.0.0.1:${settings.port}`
  const databaseFolder = databaseFolderOf(settings)

  await requireFreePort(settings.port)
  starting.defer(await takeDataFolder(settings.dataFolder))
  await forgetRunning(settings.dataFolder)
  const secrets = await readOrCreateSecrets(`${databaseFolder}-keys.json`)
  if (settings.functionSecrets.SCHEDULE_KEY) secrets.scheduleKey = settings.functionSecrets.SCHEDULE_KEY

  const database = await openDatabase(secrets, databaseFolder)
  starting.defer(() => database.close())
  // This process has the folder to itself: a refresh that is still open was cut off with the last one.
  await database.sql.exec(
    `update public.ride_syncs set outcome = 'interrupted', finished_at = now() where outcome = 'running'`,
  )

  const rwgps = await rideWithGps(settings, starting)
  const functions = await startFunctions({ ...functionEnvironment(url, secrets), ...rwgps })
  starting.defer(() => functions.stop())

  const config = {
    supabaseUrl: url,
    publishableKey: secrets.publishableKey,
    rwgpsUrl: rwgps.RWGPS_BASE_URL,
    sample: settings.account === 'sample',
  }
  const api = createApi(database, secrets, { siteUrl: url })
  const backups = createBackupApi(database, secrets)
  starting.defer(
    await startWeb({
      port: settings.port,
      dev: settings.dev,
      api,
      backups,
      functionsUrl: functions.url,
      config,
    }),
  )

  if (settings.account === 'sample') {
    const refresh = await refreshRides(url, secrets.scheduleKey)
    if (refresh.ok) await seedSampleLog(database, databaseFolder)
  }
  if (settings.refreshCron) starting.defer(scheduleRefresh(settings.refreshCron, url, secrets.scheduleKey))

  // Last, so that a password is never generated and then not told.
  const owner = await ensureOwner(database, secrets, settings)
  starting.defer(await sayRunning(settings.dataFolder, { url, account: settings.account }))
  const running = starting.move()
  return { url, owner, databaseFolder, died: functions.died, stop: () => running.disposeAsync() }
}

/** The account's address and credentials: the owner's own, or those of the sample account, which is started for it. */
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

// Asked first: without it, the answer would come only after the database was opened.
async function requireFreePort(port: number): Promise<void> {
  if (await isPortFree(port)) return
  throw new StartError(`Port ${port} is taken; stop what uses it, or set PORT to another number.`)
}
