import { isPackage } from '../../embedded/installation.ts'
import { HOSTED_FILE } from '../../hosting/settings.ts'
import { type HostedProject, openProject } from '../deploy/project.ts'
import { codeOf, type CheckResult, ok, problem, type Reply, request, warning } from './check.ts'

/** A hosted project's settings. Only the schedule key is secret. */
interface Project {
  url: string
  publishableKey: string
  client?: string | undefined
  scheduleKey?: string | undefined
  vapidPublicKey?: string | undefined
}

export const FUNCTIONS = [
  'update-rides',
  'maintenance-use',
  'garage',
  'ride-years',
  'service-due',
  'part-lifetimes',
  'spending',
  'to-check',
  'ride-changes',
  'calendar',
  'channels',
  'files',
  'api',
  'mcp',
]
/** The tables of the data API. */
export const TABLES = [
  'attached_logs',
  'bike_details',
  'bikes',
  'changes',
  'dismissed_checks',
  'entry_files',
  'maintenance',
  'parts',
  'ride_changes',
  'ride_syncs',
  'rides',
  'service_events',
  'service_tasks',
  'settings',
  'wear_measurements',
]
const COMPARE =
  'Compare SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY with the API keys in the project’s settings.'
const DEPLOY = 'Run npm run deploy.'
const PUSH = 'Run npm run deploy to update tables and policies.'

/** Checks that the functions run, and that strangers can't sign up, call functions or read anything. */
export async function* checkHostedProject(project: Project): AsyncIterable<CheckResult> {
  const settings = await requestFrom(project, '/auth/v1/settings')
  if (!settings) {
    yield problem(`${project.url} cannot be reached. ${COMPARE}`)
    return
  }
  if (settings.status === 401 || settings.status === 403) {
    yield problem(`${project.url} does not accept the publishable key. ${COMPARE}`)
    return
  }
  yield checkSignUps(settings)
  for (const name of FUNCTIONS) {
    const method = name === 'calendar' ? 'GET' : 'POST'
    const reply = await requestFrom(project, `/functions/v1/${name}`, { method })
    yield checkFunction(name, reply)
  }
  const tables = TABLES.map((name) => requestFrom(project, `/rest/v1/${name}?select=*&limit=1`))
  yield checkTables(await Promise.all(tables))
  yield await checkScheduleKey(project)
  const ref = /^https:\/\/([a-z]{20})\.supabase\.co$/.exec(project.url)?.[1]
  // The package doesn't include the Supabase CLI.
  if (ref && !isPackage) yield await checkSchedule(openProject(ref))
  if (project.client) yield await checkClient(project, project.client)
}

function requestFrom(
  { url, publishableKey }: Project,
  path: string,
  init?: RequestInit,
  headers: Record<string, string> = {},
) {
  return request(`${url}${path}`, { ...init, headers: { apikey: publishableKey, ...headers } })
}

function checkSignUps(settings: Reply): CheckResult {
  const { disable_signup: closed } = (settings.body ?? {}) as { disable_signup?: unknown }
  if (closed === true) return ok('Sign-ups are closed.')
  return closed === false
    ? problem('Sign-ups are open, so anyone can create an account. Run npm run deploy to close them.')
    : problem(`Auth returned ${settings.status} without its sign-up settings. ${COMPARE}`)
}

// The function itself must refuse a call without a token. This proves that it runs, without starting a sync.
function checkFunction(name: string, reply: Reply | undefined): CheckResult {
  const code = codeOf(reply)
  const [status, refusal] = name === 'calendar' ? [404, 'unknown_calendar'] : [401, 'unauthorized']
  if (reply?.status === status && code === refusal) {
    // update-rides doesn't start without its credentials.
    const secrets = name === 'update-rides' ? ', has the Ride with GPS credentials' : ''
    return ok(`${name} runs${secrets} and rejects strangers.`)
  }
  if (!reply) return problem(`${name} does not respond. ${DEPLOY}`)
  if (reply.status === 404) return problem(`${name} is not deployed. ${DEPLOY}`)
  if (reply.status === 401) {
    return problem(`verify_jwt keeps ${name} from verifying its callers. ${DEPLOY}`)
  }
  const result = code ? `${reply.status} ${code}` : reply.status
  return problem(
    `${name} returns ${result} instead of ${status} ${refusal}. Check its secrets, then its log in the Supabase dashboard.`,
  )
}

function checkTables(replies: (Reply | undefined)[]): CheckResult {
  const tablesWhere = (test: (reply: Reply | undefined) => boolean) =>
    TABLES.filter((_, index) => test(replies[index])).join(', ')

  const readable = tablesWhere((reply) => Array.isArray(reply?.body) && reply.body.length > 0)
  if (readable) return problem(`Anyone can read ${readable}. ${PUSH}`)
  const missing = tablesWhere((reply) => reply?.status === 404)
  if (missing) return problem(`Missing tables: ${missing}. ${PUSH}`)
  const unclear = tablesWhere((reply) => codeOf(reply) !== '42501' && reply?.status !== 200)
  if (unclear) return problem(`Unexpected response when reading ${unclear}. ${COMPARE}`)
  return ok(`Strangers cannot read any of the ${TABLES.length} tables.`)
}

/** Sends an invalid body with the key. The function checks the key first, then the body, so no sync starts. */
async function checkScheduleKey(project: Project): Promise<CheckResult> {
  if (!project.scheduleKey)
    return warning(`The schedule was not checked, because ${HOSTED_FILE} has no SCHEDULE_KEY. ${DEPLOY}`)
  const reply = await requestFrom(
    project,
    '/functions/v1/update-rides',
    { method: 'POST', body: '[]' },
    { 'x-schedule-key': project.scheduleKey },
  )
  return codeOf(reply) === 'invalid_input'
    ? ok('update-rides accepts the schedule key.')
    : problem(`update-rides does not accept the schedule key. ${DEPLOY}`)
}

/** Checks the cron job through the Supabase CLI, because nothing else can read it. */
export async function checkSchedule(project: Pick<HostedProject, 'schedule'>): Promise<CheckResult> {
  try {
    const schedule = await project.schedule()
    return schedule
      ? ok(`Rides sync automatically: ${schedule} (UTC)`)
      : warning('Rides only sync by hand. docs/schedule.md explains how to change that.')
  } catch (error) {
    return warning(`The schedule in the database was not checked: ${(error as Error).message}`)
  }
}

async function checkClient(
  { url, publishableKey, vapidPublicKey }: Project,
  client: string,
): Promise<CheckResult> {
  const upload = 'Upload the folder dist to your static host.'
  const config = (await request(`${client}/config.json`))?.body as Record<string, unknown> | undefined
  if (!config) return problem(`${client} has no config.json. ${upload}`)
  if (config.supabaseUrl !== url || config.publishableKey !== publishableKey)
    return problem(`${client} uses another project. Run npm run build. ${upload}`)
  if (config.vapidPublicKey !== vapidPublicKey)
    return problem(`${client} has another VAPID_PUBLIC_KEY than ${HOSTED_FILE}. Run npm run build. ${upload}`)
  const notifications = vapidPublicKey ? 'with' : 'without'
  return ok(`${client} uses this project, ${notifications} notifications.`)
}
