/**
 * Everything that knows how Supabase Lite works inside. It is an alpha version, so a start checks its version (connection.ts).
 * The protection from requests is outside, in embedded.
 */
import { App as Lite } from '@supabase/lite'
import type { Secrets } from '../secrets.ts'
import type { Connection } from './connection.ts'
import { errorResponse, planRequest, Refusal, runPlan } from './requests/index.ts'
import { withSettings } from './request-session.ts'

export { errorResponse } from './requests/index.ts'
export { openConnection, type Connection } from './connection.ts'
export { answerOrFail, type Failure } from './request-session.ts'

// The site URL of instances that don't listen on a port or send email.
const NOWHERE = 'http://127.0.0.1'

export interface AppOptions {
  /** Whether sign-ups are open. Only the tracker itself opens them. */
  signUps?: boolean
  /** The base URL of links in Auth's emails, which are printed instead of sent. */
  siteUrl?: string
}

/** Creates Auth and the data API for a database. */
export function createApp(
  { connection }: { connection: Connection },
  secrets: Secrets,
  { signUps = false, siteUrl = NOWHERE }: AppOptions = {},
) {
  const app = new Lite({
    connection: connection.lite,
    api: {
      // The same limit as hosted projects, so code that works here also works there.
      max_rows: 1000,
      // As on hosted projects, a forgotten filter must not empty a table.
      pg_safe_update: true,
      // Otherwise, requests with an invalid token would be anonymous.
      anonymous_enabled: false,
    },
    auth: {
      jwt_secret: secrets.jwtSecret,
      site_url: siteUrl,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_signup: signUps,
      // Supabase Lite doesn't limit guesses of an email code, and six digits can be guessed before the code expires in an hour.
      email: { enable_signup: signUps, enable_confirmations: false, otp_length: 32 },
    },
    options: { server: { admin: false } },
  })
  return {
    answerAuth: (request: Request) => connection.atomically(async () => app.fetch(request)),
    async answerData(request: Request): Promise<Response> {
      try {
        const plan = await planRequest(await connection.lite.introspect({ useCache: true }), request)
        const answer = async () => app.fetch(plan?.request ?? request)
        const response = await withSettings(settingsOf(request), () =>
          plan ? runPlan(plan, answer) : answer(),
        )
        if (plan?.refusal) throw plan.refusal
        return plan ? await plan.finish(response) : response
      } catch (error) {
        if (error instanceof Refusal) return errorResponse(error)
        throw error
      }
    },
    /** Creates Auth's tables and functions if needed. */
    createAuthSchema: async () => app.ensureSystemSchema(),
  }
}

/** Returns what SQL can read about a request, as with PostgREST. */
const settingsOf = ({ method, url, headers }: Request) => ({
  'request.method': method,
  'request.path': new URL(url).pathname.replace('/rest/v1', ''),
  'request.headers': JSON.stringify(Object.fromEntries(headers)),
})
