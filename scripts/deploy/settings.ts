import { randomBytes } from 'node:crypto'
import { CHANNELS, readTargets, requireScheduleKey, StartError } from '../../embedded/settings.ts'
import { createVapidKeys } from '../../embedded/secrets.ts'
import { HOSTED_FILE, readHostedConfig } from '../../hosting/settings.ts'
import { readCredentials } from '../../supabase/functions/update-rides/rwgps/credentials.ts'
import type { HostedProject } from './project.ts'

type Settings = Record<string, string | undefined>

interface Deployment {
  /** The project's reference: 20 lowercase letters. */
  ref: string
  url: string
  client: string
}

/** Checks a hosted project's settings. Throws a StartError that explains what to change in the file. */
export function readDeployment(settings: Settings): Deployment {
  const ref = /^https:\/\/([a-z]{20})\.supabase\.co\/?$/.exec(settings.SUPABASE_URL ?? '')?.[1]
  if (!ref)
    throw invalid(
      'SUPABASE_URL must be the URL of your project, such as https://abcdefghijklmnopqrst.supabase.co.',
    )
  const client = settings.TRACKER_URL ?? ''
  if (!client.startsWith('https://') || URL.parse(client)?.origin !== client)
    throw invalid(
      'TRACKER_URL must be the address of the client, such as https://tracker.example.com, without a path or a slash at the end.',
    )
  if (!settings.VAPID_PUBLIC_KEY !== !settings.VAPID_PRIVATE_KEY)
    throw invalid('Set both VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or neither to create them.')
  try {
    readCredentials((name) => settings[name])
    readTargets(settings)
    // Check the client's settings now, because the client is built last.
    readHostedConfig({
      ...settings,
      SUPABASE_PUBLISHABLE_KEY: settings.SUPABASE_PUBLISHABLE_KEY || 'sb_publishable_',
    })
  } catch (error) {
    throw invalid((error as Error).message.replace('The environment variable ', ''))
  }
  requireScheduleKey(settings.SCHEDULE_KEY ? { SCHEDULE_KEY: settings.SCHEDULE_KEY } : {})
  return { ref, url: `https://${ref}.supabase.co`, client }
}

const invalid = (message: string) => new StartError(`${HOSTED_FILE}: ${message}`)

/** Fetches or creates settings that are missing from the file. Doesn't save them. */
export async function missingSettings(
  settings: Settings,
  project: HostedProject,
): Promise<Record<string, string>> {
  const added: Record<string, string> = {}
  if (!settings.SUPABASE_PUBLISHABLE_KEY) added.SUPABASE_PUBLISHABLE_KEY = await project.publishableKey()
  if (!settings.SCHEDULE_KEY) added.SCHEDULE_KEY = randomBytes(32).toString('base64url')
  if (!settings.VAPID_PUBLIC_KEY) {
    if ((await project.secretNames()).includes('VAPID_PRIVATE_KEY'))
      throw invalid(
        `Add VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, which the project already has. To end all notifications and create new ones, run npm run supabase -- secrets unset VAPID_PUBLIC_KEY VAPID_PRIVATE_KEY ${project.remote}.`,
      )
    const { publicKey, privateKey } = createVapidKeys()
    Object.assign(added, { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey })
  }
  return added
}

const CHANNEL_VARIABLES = new Set(CHANNELS.flatMap(({ variables }) => variables))

// All other settings are for the client.
const isSecret = (name: string) => /^(?:RWGPS_|SCHEDULE_KEY$|SYNC_)/.test(name) || CHANNEL_VARIABLES.has(name)

export function functionSecrets(settings: Settings): Record<string, string> {
  const secrets = Object.entries(settings).flatMap(([name, value]) =>
    isSecret(name) && value ? [[name, value] as const] : [],
  )
  // Messages of these channels link to the tracker.
  const links = CHANNELS.some((channel) => channel.switch && settings[channel.switch])
    ? { TRACKER_URL: settings.TRACKER_URL ?? '' }
    : {}
  return { ...links, ...Object.fromEntries(secrets) }
}
