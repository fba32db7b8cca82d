import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../embedded/installation.ts'
import { StartError } from '../../embedded/settings.ts'
import { readText } from '../../supabase/functions/_shared/http/body.ts'
import { createRwgps } from '../../supabase/functions/update-rides/rwgps/client.ts'
import { readBaseUrl } from '../../supabase/functions/update-rides/rwgps/credentials.ts'
import type { Transport } from '../../supabase/functions/update-rides/rwgps/get.ts'
import type { RwgpsFailure } from '../../supabase/functions/update-rides/rwgps/result.ts'
import { createTokenMemory, type Token } from '../../supabase/functions/update-rides/rwgps/token-memory.ts'
import type { Answers } from './answers.ts'

/** The transport that syncs use, without logging. */
export const TRANSPORT: Transport = {
  fetch,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
  now: Date.now,
  requestTimeout: 15_000,
  log: { info: () => undefined, error: () => undefined },
}

export function describeFailure(code: RwgpsFailure, url: string): string {
  return {
    rwgps_unauthorized: `${url} refused the sign-in. Run ${commandLine('connect')}.`,
    rwgps_unreachable: `${url} cannot be reached. Check the network, and RWGPS_BASE_URL if you set it.`,
    rwgps_timeout: `${url} did not respond in time. Check the network and try again.`,
    rwgps_rate_limited: `${url} limits requests. Try again in a few minutes.`,
    rwgps_bad_answer: `${url} returned something unexpected. Remove RWGPS_BASE_URL if you set it, or try again later.`,
  }[code]
}

const MAX_REFUSAL_BYTES = 64 * 1024

/** Signs in once with email and password. Throws a StartError with the reason if that fails. */
export async function signIn(
  secrets: Record<string, string>,
  answers: Answers,
): Promise<{ token: Token; bikes: number }> {
  const baseUrl = readBaseUrl((name) => secrets[name])
  const memory = createTokenMemory()
  let refusal: string | null = null
  const transport = {
    ...TRANSPORT,
    async fetch(...args: Parameters<typeof fetch>) {
      const response = await fetch(...args)
      if (response.status === 200) return response
      refusal = (await readText(response.body, MAX_REFUSAL_BYTES)) ?? ''
      return new Response(null, response)
    },
  }
  const rwgps = createRwgps(baseUrl, answers, transport, memory)
  const session = await rwgps.signIn(AbortSignal.timeout(30_000))
  const token = memory.read()
  if (session.ok && token) return { token, bikes: session.value.bikes.length }
  const code = session.ok ? 'rwgps_bad_answer' : session.code
  throw new StartError(`${explain(code, refusal, new URL(baseUrl).origin)} Nothing was changed.`)
}

// Ride with GPS doesn't document its response to a wrong API key, so check the text. A wrong password may even return status 200.
function explain(code: RwgpsFailure, refusal: string | null, origin: string): string {
  if (code !== 'rwgps_unauthorized') return describeFailure(code, origin)
  if (refusal === null || /password/i.test(refusal)) return `${origin} refused the email or the password.`
  if (/api.?key/i.test(refusal)) return `${origin} refused the API key. Copy it again.`
  return `${origin} refused the sign-in. Check the API key, the email and the password.`
}
