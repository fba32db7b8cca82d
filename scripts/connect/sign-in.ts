import { StartError } from '../../embedded/settings.ts'
import { readText } from '../../supabase/functions/_shared/body.ts'
import { createRwgps } from '../../supabase/functions/update-rides/rwgps/client.ts'
import { readBaseUrl } from '../../supabase/functions/update-rides/rwgps/credentials.ts'
import type { RwgpsFailure } from '../../supabase/functions/update-rides/rwgps/result.ts'
import { createTokenMemory, type Token } from '../../supabase/functions/update-rides/rwgps/token-memory.ts'
import { describeFailure, TRANSPORT } from './ride-with-gps.ts'
import type { Answers } from './answers.ts'

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
