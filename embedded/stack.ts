import { Cron } from 'croner'
import { SAMPLE_CREDENTIALS, startSampleServer } from '../sample/server.ts'
import { recordAccount } from './account.ts'
import { createApi } from './api.ts'
import { cleanUpDaily } from './clean-up.ts'
import {
  accountPrefix,
  createDiskReserve,
  removeRunning,
  type RunningStack,
  writeRunning,
} from './data-folder.ts'
import { openDatabase } from './database.ts'
import { startFunctions } from './functions.ts'
import { isPackage } from './installation.ts'
import {
  createDemoAccount,
  createPasswordRecord,
  ensureOwner,
  type OwnerAccount,
  requireLongPassword,
} from './owner.ts'
import { isPortFree } from './port.ts'
import { startServer } from './postgres/server.ts'
import type { LogOutput } from './log-file.ts'
import { networkNames } from './network.ts'
import { hasFreshRides, seedSampleLog } from './sample.ts'
import { readOrCreateSecrets, type Secrets } from './secrets.ts'
import { CHANNEL_VARIABLES, isOpen, MIN_NETWORK_PASSWORD, type Settings, StartError } from './settings.ts'
import { compareRulesDaily, deriveRides } from './time-zone-rules.ts'
import { portTaken, startWeb, type WebParts } from './web.ts'

export interface Stack {
  url: string
  /** The addresses for other devices, if HOST or PUBLIC_URL is set. */
  addresses: string[]
  owner: OwnerAccount
  dataFolder: string
  /** Rejects with a StartError if a service exits unexpectedly. */
  died: Promise<never>
  stop(): Promise<void>
}

/** Starts every service in dependency order, and stops them all if one fails. `logPlace` says where the functions' log is. */
export async function startStack(settings: Settings, log: LogOutput, logPlace: string): Promise<Stack> {
  await using starting = new AsyncDisposableStack()
  const url = `http://127.0.0.1:${settings.port}`
  const { port, publicUrl } = settings
  const names = settings.isContainer ? [] : networkNames(settings)
  const addresses = [publicUrl ?? [], names.map((name) => `http://${name}:${port}`)].flat()
  const prefix = accountPrefix(settings)

  // Check the port before opening the database, so a conflict fails fast.
  if (!(await isPortFree(settings.port))) throw portTaken(settings.port)
  const server = await startServer(settings)
  starting.defer(() => server.stop())
  await removeRunning(settings.dataFolder)
  const secrets = await readOrCreateSecrets(`${prefix}-keys.json`)
  if (settings.functionSecrets.SCHEDULE_KEY) secrets.scheduleKey = settings.functionSecrets.SCHEDULE_KEY

  const database = await openDatabase(server, secrets, prefix)
  starting.defer(() => database.close())
  await recordAccount(database.sql, settings.account)
  // Only one tracker uses a database, so a sync that is marked as running was interrupted.
  const interruptSync = async () => {
    await database.sql`update public.ride_syncs set outcome = 'interrupted', finished_at = now() where outcome = 'running'`
  }
  await interruptSync()
  // Without a running sync, this is in no list of changes.
  await deriveRides(database.sql)
  starting.defer(await cleanUpDaily(database.sql))

  const rwgps = await rideWithGps(settings, starting)
  const functions = await startFunctions(
    { ...functionEnvironment(url, addresses[0] ?? url, secrets, settings), ...rwgps },
    { onExit: () => void interruptSync().catch(console.error), output: log },
  )
  starting.defer(() => functions.stop())

  const config: WebParts['config'] = {
    publishableKey: secrets.publishableKey,
    vapidPublicKey: secrets.vapid.publicKey,
    rwgpsUrl: rwgps.RWGPS_BASE_URL,
    sample: settings.account === 'sample',
    ...(isPackage && { isPackage }),
  }
  const passwords = createPasswordRecord(database.sql, `${prefix}-password-length`)
  if (isOpen(settings)) await requireLongPassword(database.sql, passwords, settings)
  const onNewPassword = async (password: string) => {
    if (password.length >= MIN_NETWORK_PASSWORD) await passwords.remember()
  }
  const api = createApi(database, secrets, {
    siteUrl: addresses[0] ?? url,
    minPasswordLength: isOpen(settings) ? MIN_NETWORK_PASSWORD : 0,
    onNewPassword,
    ...(settings.databaseUrl ? {} : { freeDiskSpace: await createDiskReserve(settings.dataFolder) }),
  })
  const running: RunningStack = { url, account: settings.account, warnings: [] }
  const warn = createWarnings(settings.dataFolder, running)
  starting.defer(
    await startWeb({
      warn,
      network: settings,
      dev: settings.dev,
      api,
      isDatabaseUp: () => database.connection.run('select 1').then(() => true),
      functions,
      config,
      hasDemoAccount: createDemoAccount(database.sql),
    }),
  )

  if (settings.account === 'sample') {
    const hasRides = (await hasFreshRides(database.sql)) || (await syncRides(url, secrets.scheduleKey)).ok
    if (hasRides) await seedSampleLog(database.sql, prefix)
  }
  if (settings.syncCron) starting.defer(scheduleSync(settings.syncCron, url, secrets.scheduleKey))

  // Create the owner last, so a generated password is always printed.
  const owner = await ensureOwner(database, secrets, settings, onNewPassword)
  starting.defer(await writeRunning(settings.dataFolder, running))
  const onOtherRules = (text: string) => {
    warn(text, 'time zone rules')
    config.otherZoneRules = true
  }
  starting.defer(await compareRulesDaily(database.sql, onOtherRules))
  const started = starting.move()
  return {
    url,
    addresses,
    owner,
    dataFolder: settings.dataFolder,
    died: Promise.race([
      functions.died.then(() => {
        throw new StartError(
          `The edge functions keep stopping unexpectedly. Check their last log lines ${logPlace}, then start again.`,
        )
      }),
      server.died.then((error) => {
        throw error
      }),
    ]),
    stop: () => started.disposeAsync(),
  }
}

/** Returns a function that logs the first warning of each kind, and stores it for `doctor`. */
function createWarnings(dataFolder: string, running: RunningStack) {
  const kinds = new Set<string>()
  return (text: string, kind = text) => {
    if (kinds.has(kind)) return
    kinds.add(kind)
    running.warnings.push(text)
    console.error(text)
    void writeRunning(dataFolder, running).catch(() => undefined)
  }
}

async function rideWithGps(settings: Settings, starting: AsyncDisposableStack) {
  if (settings.account === 'owner') {
    const credentials = Object.entries(settings.functionSecrets).filter(([name]) => name.startsWith('RWGPS_'))
    return { RWGPS_BASE_URL: 'https://ridewithgps.com', ...Object.fromEntries(credentials) }
  }
  const sample = await startSampleServer()
  starting.defer(() => sample.close())
  const { apiKey, email, password } = SAMPLE_CREDENTIALS
  return { RWGPS_BASE_URL: sample.url, RWGPS_API_KEY: apiKey, RWGPS_EMAIL: email, RWGPS_PASSWORD: password }
}

function functionEnvironment(url: string, trackerUrl: string, secrets: Secrets, settings: Settings) {
  const { publicUrl, ownerEmail, functionSecrets } = settings
  const channels = CHANNEL_VARIABLES.map((name) => [name, functionSecrets[name] ?? ''])
  return {
    ...(Object.fromEntries(channels) as Record<string, string>),
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
    SCHEDULE_KEY: secrets.scheduleKey,
    SYNC_SECONDS: '120',
    VAPID_PUBLIC_KEY: secrets.vapid.publicKey,
    VAPID_PRIVATE_KEY: secrets.vapid.privateKey,
    // Push services require a contact, and Apple rejects URLs without https.
    VAPID_SUBJECT: publicUrl?.startsWith('https:') ? publicUrl : `mailto:${ownerEmail}`,
    PUSH_BASE_URL: functionSecrets.PUSH_BASE_URL ?? '',
    TRACKER_URL: trackerUrl,
  }
}

/** Starts a sync, or a quick check for new rides, like the schedule. Returns the function's response. */
export async function syncRides(supabaseUrl: string, scheduleKey: string, check = false): Promise<Response> {
  return fetch(`${supabaseUrl}/functions/v1/update-rides`, {
    method: 'POST',
    headers: { 'x-schedule-key': scheduleKey, 'content-type': 'application/json' },
    body: JSON.stringify({ check }),
  })
}

/** Checks for new rides on a schedule. The functions and the sync history log the results. Returns a stop function. */
function scheduleSync(cron: string, supabaseUrl: string, scheduleKey: string): () => void {
  const job = new Cron(cron, { protect: true, catch: true }, async () => {
    await syncRides(supabaseUrl, scheduleKey, true)
  })
  return () => job.stop()
}
