import { readCommandLine } from '../embedded/command-line.ts'
import { commandLine, isPackage } from '../embedded/installation.ts'
import {
  readDatabaseUrl,
  readDataFolder,
  readFunctionSecrets,
  requireBaseUrl,
  secretsFile,
  shortSecretsFile,
  StartError,
} from '../embedded/settings.ts'
import { readStoredAccount } from '../embedded/stored-account.ts'
import { runCommand } from './command.ts'
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
  console.log(`Next: ${isRunning ? 'stop the tracker with Ctrl-C, then run' : 'run'} ${commandLine('start')}`)
})

async function refuseOtherAccount(userId: number): Promise<void> {
  const dataFolder = readDataFolder(env)
  const stored = await readStoredAccount({ dataFolder, databaseUrl: readDatabaseUrl(env) })
  if (stored === null || stored === userId) return
  throw new StartError(
    `This is the Ride with GPS user ${userId}, but the stored rides belong to user ${stored}. To switch, run ${commandLine('switch-account')} first. Nothing was changed.`,
  )
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
