import { AppError, messageFor, SavedEarlier, toAppError } from './errors.ts'

/**
 * Runs a write. If the response is lost, `readBack` looks up the result and resolves to undefined if nothing was written.
 * Throws the write's error, the lookup's `SavedEarlier`, or `unclear` if the lookup fails for another reason.
 */
export async function settleWrite<Result>(
  write: () => Promise<Result>,
  readBack: () => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await write()
  } catch (cause) {
    const error = toAppError(cause)
    if (error.code !== 'network' && error.status < 500) throw error
    const result = await readBack().catch((failure: unknown) => {
      if (failure instanceof SavedEarlier) throw failure
      throw new AppError('unclear', error.message, error.status)
    })
    if (result === undefined) throw error
    return result
  }
}

/** Identifies a form's request across retries and edits. `insteadOf` is the key of an earlier version that was saved. */
export type Request = { key: string; insteadOf: string | null }

export const newRequest = (): Request => ({ key: newUuid(), insteadOf: null })

/** Creates a request to edit the version that an earlier request saved. */
export const requestInsteadOf = ({ key }: Request): Request => ({ key: newUuid(), insteadOf: key })

export function savedEarlierMessage(version: string): string {
  return `An earlier version was saved: ${version}. Your changes are not saved yet.`
}

/** Returns the message "`subject` was not `done`" with the reason. `describe` formats `SavedEarlier.stored`. */
export function failureMessage(
  subject: string,
  done: string,
  cause: unknown,
  describe?: (stored: unknown) => string,
): string {
  if (describe && cause instanceof SavedEarlier) return savedEarlierMessage(describe(cause.stored))
  const error = toAppError(cause)
  const outcome = error.code === 'unclear' ? `may or may not have been ${done}` : `was not ${done}`
  return `${subject} ${outcome}. ${messageFor(error)}`
}

/** Creates a random UUID. `crypto.randomUUID` needs https or localhost, but a tracker may run on a home network. */
export function newUuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(16))
  // RFC 9562: version 4, variant binary 10.
  const digits = Array.from(random, (byte, index) =>
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
