import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import type { Random } from '../../sample/random.ts'

const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))

// Built only once, because creating 16 MB takes longer than refusing it.
const EMPTY_ROWS = Buffer.from(`[${repeated('{},', 16 * 2 ** 20)}{}]`)
const ROWS = Buffer.from(
  JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ bikeId: 1, name: `${n}` }))),
)
const LINES = Buffer.from(`name,cost\n${repeated(',\n', 60_000)}`)
const NESTED = Buffer.from(`{"token":${repeated('[', 30_000)}${repeated(']', 30_000)}}`)
const PASSWORD = Buffer.from('{"email":"owner@example.com","password":"a guess"}')
const TOKEN = Buffer.from('{"refresh_token":"a guess"}')

const PATHS = [
  '/rest/v1/maintenance',
  '/rest/v1/unknown',
  '/rest/v1/rpc/run_command',
  '/rest/v1/rpc/is_owner',
  '/auth/v1/token?grant_type=password',
  '/auth/v1/token?grant_type=refresh_token',
  '/auth/v1/verify',
  '/auth/v1/signup',
  '/functions/v1/api/v1/summary',
  '/functions/v1/api/v1/tasks/1/done',
  '/functions/v1/garage',
  '/functions/v1/update-rides',
  '/functions/v1/unknown',
] as const
const BODIES = [EMPTY_ROWS, ROWS, LINES, NESTED, PASSWORD, TOKEN] as const
const TYPES = ['application/json', 'text/csv', 'application/x-www-form-urlencoded'] as const
// Has the form of a token, but was never created.
const WRONG_TOKEN = createToken()
const PAUSE_MS = 100

/** Sends expensive requests, with the public key or without a key. Resolves to the number of requests and the faults. */
export async function attack(url: string, publicKey: string, random: Random, isRunning: () => boolean) {
  const faults: string[] = []
  let count = 0
  for (; isRunning(); count++) {
    const path = random.pick(PATHS)
    const status = await send(new URL(path, url), {
      body: random.pick(BODIES),
      isAnnounced: random.chance(0.7),
      isAborted: random.chance(0.1),
      headers: {
        'content-type': random.pick(TYPES),
        ...(random.chance(0.8) && { apikey: publicKey }),
        ...(random.chance(0.3) && {
          authorization: `Bearer ${random.pick(['nonsense', 'a.b.c', WRONG_TOKEN, publicKey])}`,
        }),
      },
    })
    // A refused body may break the connection before the response arrives.
    const isRefused = status === undefined || (status >= 400 && status < 500)
    if (!isRefused && status !== 503) faults.push(`${path} answered a stranger with ${status}`)
    await sleep(PAUSE_MS)
  }
  return { count, faults }
}

interface Sent {
  body: Buffer
  /** Whether to send a Content-Length instead of chunks. */
  isAnnounced: boolean
  /** Whether to close the connection after the first half of the body. */
  isAborted: boolean
  headers: Record<string, string>
}

/** Resolves to the response's status, or undefined if there is no response. */
function send(url: URL, { body, isAnnounced, isAborted, headers }: Sent): Promise<number | undefined> {
  const length: Record<string, string> = isAnnounced ? { 'content-length': `${body.length}` } : {}
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, ...length }, agent: false },
      (response) => {
        resolve(response.statusCode)
        sent.destroy()
      },
    )
    sent.on('error', () => resolve(undefined))
    if (isAborted) sent.write(body.subarray(0, body.length / 2), () => sent.destroy())
    else sent.end(body)
  })
}
