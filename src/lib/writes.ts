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
