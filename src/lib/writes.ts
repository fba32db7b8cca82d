import type { Client } from './backend.ts'
import { AppError, ChangedElsewhere, messageFor, SavedEarlier, toAppError } from './errors.ts'
import { type Answer, type Args, callSql, type SqlFunction } from './functions.ts'

/** Returns whether a write may have been saved. An error of the database or a busy backend (503) means that it wasn't. */
const isLost = ({ code, status }: AppError) =>
  status !== 503 && (code === 'network' || (code === 'internal' && status >= 500))

const unclear = ({ message, status }: AppError) => new AppError('unclear', message, status)

/**
 * Runs a write that is safe to repeat. If the response is lost, repeats the write. Throws the first error, the second's
 * `SavedEarlier` or `ChangedElsewhere`, or else `unclear`.
 */
export async function repeatIfLost<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (cause) {
    const error = toAppError(cause)
    if (!isLost(error)) throw error
    return await write().catch((failure: unknown) => {
      const second = toAppError(failure)
      throw second instanceof SavedEarlier || second instanceof ChangedElsewhere ? second : unclear(error)
    })
  }
}

/** Returns the message "`subject` was not `done`" with the reason. */
export function failureMessage(subject: string, done: string, cause: unknown): string {
  const error = toAppError(cause)
  const outcome = error.code === 'unclear' ? `may or may not have been ${done}` : `was not ${done}`
  return `${subject} ${outcome}. ${messageFor(error)}`
}

/**
 * Creates a UUID that begins with the time (version 7 of RFC 9562), so that a key says when its change was made.
 * `crypto.randomUUID` needs https or localhost, but a tracker may run on a home network.
 */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte, index) =>
    (index === 0 ? (byte & 0x0f) | 0x70 : index === 2 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('')
  return `${time}${random}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns whether something else may be stored than is shown, because a write that failed may have been saved, or met another's. */
export const mayHaveChanged = (cause: unknown): boolean =>
  ['unclear', 'RMT07', 'RMT11', 'RMT22', 'RMT31', 'PT409'].includes(toAppError(cause).code)

/** How long a request may take that can wait in this browser. Longer than the database works on it. */
export const WRITE_LIMIT_MS = 15_000

/**
 * Calls a SQL function whose repetition is safe, and repeats the call if the response is lost. Resolves to its answer. With
 * `limitMs`, a request that takes longer is given up.
 */
export const write = <Name extends SqlFunction>(
  client: Client,
  name: Name,
  args: Args<Name>,
  limitMs?: number,
): Promise<Answer<Name>> =>
  repeatIfLost(() =>
    callSql(client, name, args, limitMs === undefined ? undefined : AbortSignal.timeout(limitMs)),
  )
