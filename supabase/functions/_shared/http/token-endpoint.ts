import type { UpdatedRides } from '../contracts/update-rides.ts'
import { readProject, readSecretKey } from './environment.ts'
import { CodedError, type ErrorCode, ERRORS } from './errors.ts'
import type { Handler } from './http.ts'
import { createLog, type Log } from './log.ts'
import { connectWithSecretKey, createQuery, type Query } from './query.ts'

export interface Dependencies {
  /** Needs the secret key, because only the functions for other software may try tokens. */
  query: Query
  /** In milliseconds. */
  now: () => number
  /** Syncs the rides, as Update does. */
  sync: () => Promise<UpdatedRides>
  /** The client's address, if it is known. */
  trackerUrl?: string | undefined
  log: Log
}

const environment = (variable: string) => Deno.env.get(variable)

/** Creates the edge function `name`, which serves anyone with a token. */
export function tokenEndpoint(
  name: string,
  create: (dependencies: Dependencies) => Handler,
): { fetch: Handler } {
  const secretKey = readSecretKey(environment)
  const { url } = readProject(environment)
  const query = createQuery(connectWithSecretKey(url, secretKey))
  const sync = () => callUpdateRides(url, secretKey)
  const trackerUrl = environment('TRACKER_URL')
  return { fetch: create({ query, now: Date.now, sync, trackerUrl, log: createLog(name, [secretKey]) }) }
}

async function callUpdateRides(url: string, secretKey: string): Promise<UpdatedRides> {
  const response = await fetch(`${url}/functions/v1/update-rides`, {
    method: 'POST',
    headers: { 'x-secret-key': secretKey },
  })
  const answer = (await response.json()) as UpdatedRides & { code: string }
  if (response.ok) return answer
  throw new CodedError(answer.code in ERRORS ? (answer.code as ErrorCode) : 'internal')
}

const GUESSES_PER_MINUTE = 60

/** Creates a function that counts a wrong token, and returns whether its caller may know that it is wrong. */
export function createGuessLimit(now: () => number): () => boolean {
  let [minute, guesses] = [0, 0]
  return () => {
    const current = Math.floor(now() / 60_000)
    guesses = current === minute ? guesses + 1 : 1
    minute = current
    return guesses <= GUESSES_PER_MINUTE
  }
}
