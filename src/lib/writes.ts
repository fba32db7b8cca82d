import { AppError, messageFor, toAppError } from './errors.ts'

/**
 * Runs a write. If the response is lost, `readBack` looks up the result and resolves to undefined if nothing was written.
 * Throws the write's error, or `unclear` if the lookup fails too.
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
    const result = await readBack().catch(() => {
      throw new AppError('unclear', error.message, error.status)
    })
    if (result === undefined) throw error
    return result
  }
}

/** The message for a failed write: `subject` was not `done`, and why. */
export function failureMessage(subject: string, done: string, cause: unknown): string {
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
