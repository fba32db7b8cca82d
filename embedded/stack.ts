import { SAMPLE_CREDENTIALS, startSampleServer } from '../sample/server.ts'
import { createApi } from './api.ts'
import { accountPrefix } from './data-folder.ts'
import { openDatabase } from './database.ts'
import { startFunctions } from './functions.ts'
import { ensureOwner, type OwnerAccount } from './owner.ts'
import { isPortFree } from './port.ts'
import { startServer } from './postgres/server.ts'
import { refreshRides, scheduleRefresh } from './refresh.ts'
import { keepReserve } from './reserve.ts'
import { forgetRunning, sayRunning } from './running.ts'
import { seedSampleLog } from './sample.ts'
import { readOrCreateSecrets, type Secrets } from './secrets.ts'
import { StartError, type Settings } from './settings.ts'
import { startWeb } from './web.ts'

export interface Stack {
  url: string
  owner: OwnerAccount
  dataFolder: string
  /** Rejects with a StartError when a part of the stack ended by itself. */
  died: Promise<never>
  stop(): Promise<void>
}

/** Starts every service in dependency order. Stops them all if one fails to start. */
export async function startStack(settings: Settings): Promise<Stack> {
  await using starting = new AsyncDisposableStack()
  const url = `http://127.0.0.1:${settings.port}`
  const prefix = accountPrefix(settings)

  // Before the database opens, so a conflict fails fast.
  await requireFreePort(settings.port)
  const server = await startServer(settings)
  starting.defer(() => server.stop())
  await forgetRunning(settings.dataFolder)
  const secrets = await readOrCreateSecrets(`${prefix}-keys.json`)
  if (settings.functionSecrets.SCHEDULE_KEY) secrets.scheduleKey = settings.functionSecrets.SCHEDULE_KEY

  const database = await openDatabase(server.url, secrets, prefix)
  starting.defer(() => database.close())
  // Only one tracker runs on a database, so a sync that is still open was cut off.
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
    ...(settings.databaseUrl ? {} : { makeRoom: await keepReserve(settings.dataFolder) }),
  })
  const { port, dev } = settings
  const stopWeb = await startWeb({ port, dev, api, functionsUrl: functions.url, config }).catch(
    async (error) => {
      // Another program may have taken it since.
      await requireFreePort(port)
      throw error
    },
  )
  starting.defer(stopWeb)

  if (settings.account === 'sample') {
    const refresh = await refreshRides(url, secrets.scheduleKey)
    if (refresh.ok) await seedSampleLog(database.sql, prefix)
  }
  if (settings.refreshCron) starting.defer(scheduleRefresh(settings.refreshCron, url, secrets.scheduleKey))

  // Last, so a generated password is always printed.
  const owner = await ensureOwner(database, secrets, settings)
  starting.defer(await sayRunning(settings.dataFolder, { url, account: settings.account }))
  const running = starting.move()
  return {
    url,
    owner,
    dataFolder: settings.dataFolder,
    died: Promise.race([
      functions.died.then(() => {
        throw new StartError(
          'The functions stopped unexpectedly; their last lines above say why. Start again.',
        )
      }),
      server.died.then((lastWords) => {
        throw new StartError(`PostgreSQL stopped unexpectedly. Start again.\n${lastWords}`)
      }),
    ]),
    stop: () => running.disposeAsync(),
  }
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

async function requireFreePort(port: number): Promise<void> {
  if (await isPortFree(port)) return
  throw new StartError(`Port ${port} is taken; stop what uses it, or set PORT to another number.`)
}
