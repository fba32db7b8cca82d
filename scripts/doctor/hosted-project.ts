import { codeOf, type Finding, ok, problem, type Reply, request } from './check.ts'

/** What the client of a Supabase project makes public. */
interface Project {
  url: string
  publishableKey: string
}

export const FUNCTIONS = [
  'update-rides',
  'maintenance-use',
  'garage',
  'service-due',
  'part-lifetimes',
  'spending',
  'to-check',
  'ride-changes',
  'calendar',
]
const TABLES = ['bikes', 'maintenance', 'rides', 'ride_syncs']

const COMPARE =
  'Compare SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY with the API keys in the project’s settings.'
const DEPLOY = 'Deploy it as described in docs/deploy.md.'
const PUSH = 'Run npx supabase db push --remote to update tables and policies.'

/** Checks that a stranger can't sign up, call the functions or read anything. */
export async function* checkHostedProject(project: Project): AsyncIterable<Finding> {
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
  const tables = TABLES.map((table) => requestFrom(project, `/rest/v1/${table}?select=*&limit=1`))
  yield checkTables(await Promise.all(tables))
}

function requestFrom({ url, publishableKey }: Project, path: string, init?: RequestInit) {
  return request(`${url.replace(/\/+$/, '')}${path}`, { ...init, headers: { apikey: publishableKey } })
}

function checkSignUps(settings: Reply): Finding {
  const { disable_signup: closed } = (settings.body ?? {}) as { disable_signup?: unknown }
  if (closed === true) return ok('Sign-ups are closed.')
  return closed === false
    ? problem('Sign-ups are open, so anyone can create an account. Close them with npx supabase config push.')
    : problem(`Auth returned ${settings.status} without its sign-up settings. ${COMPARE}`)
}

/**
 * A call without a token must be refused by the function itself: that shows it runs, without starting a sync. The calendar
 * feed answers as for any wrong token.
 */
function checkFunction(name: string, reply: Reply | undefined): Finding {
  const code = codeOf(reply)
  const [status, refusal] = name === 'calendar' ? [404, 'unknown_calendar'] : [401, 'unauthorized']
  if (reply?.status === status && code === refusal) return ok(`${name} runs and rejects strangers.`)
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

function checkTables(replies: (Reply | undefined)[]): Finding {
  const tablesWhere = (test: (reply: Reply | undefined) => boolean) =>
    TABLES.filter((_, index) => test(replies[index])).join(', ')

  const readable = tablesWhere((reply) => Array.isArray(reply?.body) && reply.body.length > 0)
  if (readable) return problem(`Anyone can read ${readable}. ${PUSH}`)
  const missing = tablesWhere((reply) => reply?.status === 404)
  if (missing) return problem(`Missing tables: ${missing}. ${PUSH}`)
  const unclear = tablesWhere((reply) => codeOf(reply) !== '42501' && reply?.status !== 200)
  if (unclear) return problem(`Unexpected response when reading ${unclear}. ${COMPARE}`)
  return ok('Strangers cannot read anything.')
}
