import { existsSync } from 'node:fs'
import { readCommandLine, runCommand } from '../embedded/command-line.ts'
import { accountPrefix } from '../embedded/data-folder.ts'
import { commandLine, isPackage } from '../embedded/installation.ts'
import { appliedVersions } from '../embedded/migrations.ts'
import { connect } from '../embedded/postgres/connect.ts'
import { findOrStartServer } from '../embedded/postgres/server.ts'
import {
  readDatabaseUrl,
  readDataFolder,
  readFunctionSecrets,
  requireBaseUrl,
  secretsFile,
  shortSecretsFile,
  StartError,
} from '../embedded/settings.ts'
import { readAnswers } from './connect/answers.ts'
import { envLines, saveCredentials, type TokenCredentials } from './connect/credentials-file.ts'
import { signIn } from './connect/sign-in.ts'
import { findTracker } from './doctor/local.ts'

const { values } = readCommandLine({
  name: 'connect',
  about:
    'Signs in to Ride with GPS once and saves the token for syncs. With --print, prints the token instead. The password is not stored.',
  usage: isPackage ? '[--print]' : '[-- --print]',
  options: { print: { type: 'boolean' } },
})

const { env } = process

await runCommand(async () => {
  const secrets = readFunctionSecrets(env)
  requireBaseUrl(secrets)
  const answers = await readAnswers(env)
  const { token, bikes } = await signIn(secrets, answers)
  const credentials = {
    RWGPS_API_KEY: answers.apiKey,
    RWGPS_AUTH_TOKEN: token.authToken,
    RWGPS_USER_ID: `${token.userId}`,
  }
  if (values.print) {
    process.stdout.write(envLines(credentials))
    console.error(`Signed in. ${found(bikes)}`)
    return
  }
  await refuseOtherAccount(token.userId)
  await saveCredentials(secretsFile(env), credentials)
  console.log(`Connected. ${found(bikes)}`)
  console.log(`Saved ${list(Object.keys(credentials))} to ${shortSecretsFile(env)}.`)
  warnAboutEnvironment(credentials)
  const isRunning = (await findTracker(readDataFolder(env))) !== undefined
  console.log(`Next: ${nextStep(isRunning)}`)
})

function nextStep(isRunning: boolean): string {
  if (env.container) return 'restart the container'
  const start = `run ${commandLine('start')}`
  return isRunning ? `restart the tracker: its service, or stop it with Ctrl-C and ${start}` : start
}

async function refuseOtherAccount(userId: number): Promise<void> {
  const stored = await readStoredAccount()
  if (stored === null || stored === userId) return
  throw new StartError(
    `This is the Ride with GPS user ${userId}, but the stored rides belong to user ${stored}. To switch, run ${commandLine('switch-account')} first. Nothing was changed.`,
  )
}

/** Returns the Ride with GPS user id of the stored rides, or null if unknown. Works whether or not the tracker is running. */
async function readStoredAccount(): Promise<number | null> {
  const databaseUrl = readDatabaseUrl(env)
  const settings = { dataFolder: readDataFolder(env), databaseUrl, account: 'owner' as const }
  if (!databaseUrl && !existsSync(`${accountPrefix(settings)}-keys.json`)) return null
  const server = await findOrStartServer(settings)
  const sql = connect(server.url)
  try {
    if ((await appliedVersions(sql)).length === 0) return null
    const [sync] = await sql<{ user: string }[]>`
      select rwgps_user_id::text as user from public.ride_syncs where rwgps_user_id is not null order by id desc limit 1`
    return sync ? Number(sync.user) : null
  } finally {
    await sql.end()
    await server.stop()
  }
}

function warnAboutEnvironment(credentials: TokenCredentials): void {
  const overriding = Object.entries(credentials).flatMap(([name, value]) =>
    env[name] === undefined || env[name] === value ? [] : name,
  )
  if (overriding.length === 0) return
  console.log(`The environment overrides the file: unset ${list(overriding)} before you start the tracker.`)
}

function found(bikes: number): string {
  return `Found ${bikes} ${bikes === 1 ? 'bike' : 'bikes'}.`
}

function list(names: string[]): string {
  return new Intl.ListFormat('en-US').format(names)
}
