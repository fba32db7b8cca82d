import { type Answer, ask, codeOf } from './ask.ts'
import { type Finding, ok, problem } from './finding.ts'

/** A Supabase project, or the embedded stack, as everybody may know it. */
export interface Project {
  url: string
  publishableKey: string
}

/** The edge functions. */
export const FUNCTIONS = ['update-rides', 'maintenance-use']
const TABLES = ['bikes', 'maintenance', 'rides', 'ride_syncs']

const COMPARE = 'compare SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY with the project’s settings, API Keys.'
const DEPLOY = 'deploy it as docs/deploy.md says.'

/** Looks at a project as a stranger would: nobody can sign up, call the functions, or read anything. */
export async function* checkProject(project: Project): AsyncIterable<Finding> {
  const settings = await askProject(project, '/auth/v1/settings')
  if (!settings) {
    yield problem(`${project.url} cannot be reached; ${COMPARE}`)
    return
  }
  if (settings.status === 401 || settings.status === 403) {
    yield problem(`${project.url} does not take the publishable key; ${COMPARE}`)
    return
  }
  yield signUps(settings)
  for (const name of FUNCTIONS) {
    const answer = await askProject(project, `/functions/v1/${name}`, { method: 'POST' })
    yield functionAnswer(name, answer)
  }
  const tables = TABLES.map((table) => askProject(project, `/rest/v1/${table}?select=*&limit=1`))
  yield strangers(await Promise.all(tables))
}

function askProject({ url, publishableKey }: Project, path: string, init?: RequestInit) {
  return ask(`${url.replace(/\/+$/, '')}${path}`, { ...init, headers: { apikey: publishableKey } })
}

function signUps(answer: Answer): Finding {
  const { disable_signup: isClosed } = (answer.body ?? {}) as { disable_signup?: unknown }
  if (isClosed === true) return ok('Sign-ups are closed.')
  return isClosed === false
    ? problem(`Sign-ups are open: anybody could make an account; npx supabase config push closes them.`)
    : problem(`Auth answered ${answer.status}, and nothing about sign-ups; ${COMPARE}`)
}

// Without a token the functions' own refusal is the answer: it shows that they run, and starts nothing.
function functionAnswer(name: string, answer: Answer | undefined): Finding {
  const code = codeOf(answer)
  if (answer?.status === 401 && code === 'unauthorized') return ok(`${name} runs, and refuses strangers.`)
  if (!answer) return problem(`${name} does not answer; ${DEPLOY}`)
  if (answer.status === 404) return problem(`${name} is not there; ${DEPLOY}`)
  if (answer.status === 401)
    return problem(`${name} is kept from checking its callers by itself (verify_jwt); ${DEPLOY}`)
  const said = code ? `${answer.status} ${code}` : answer.status
  return problem(`${name} answers ${said} in place of a refusal; its log says why (are the secrets set?).`)
}

function strangers(answers: (Answer | undefined)[]): Finding {
  const named = (is: (answer: Answer | undefined) => boolean) =>
    TABLES.filter((_, index) => is(answers[index])).join(', ')

  const readable = named((answer) => Array.isArray(answer?.body) && answer.body.length > 0)
  if (readable)
    return problem(
      `Anybody can read ${readable}; npx supabase db push --remote brings tables and policies up to date.`,
    )
  const absent = named((answer) => answer?.status === 404)
  if (absent)
    return problem(
      `There is no ${absent}; npx supabase db push --remote brings tables and policies up to date.`,
    )
  const unclear = named((answer) => codeOf(answer) !== '42501' && answer?.status !== 200)
  if (unclear) return problem(`${unclear} answered neither rows nor a refusal; ${COMPARE}`)
  return ok('Strangers read nothing.')
}
