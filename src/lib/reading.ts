import { AppError, toAppError } from './errors.ts'
import type { Answer, Keeper } from './cache.ts'

/** What is there, and whether it is being read again or could not be. */
export type Ready<T> = {
  state: 'ready'
  data: T
  updating: boolean
  failure: AppError | null
  /** When it was read, in milliseconds since 1970. */
  readAt: number
  /** Whether that was in an earlier visit. */
  isKept: boolean
}

export type Failed = { state: 'failed'; error: AppError }

/** The last answer, read now or in an earlier visit. */
export type Last<T> = Answer<T> & { isKept: boolean }

/** Where the last answer is remembered as long as the page is open. */
export type Memory<T> = { get: () => Last<T> | undefined; set: (last: Last<T> | undefined) => void }

/** Reads, and keeps the answer; when that fails, what was last read stays. */
export async function attempt<T>(
  read: () => Promise<T>,
  memory: Memory<T>,
  keeper: Keeper<T> | null,
): Promise<Ready<T> | Failed> {
  try {
    const answer = { data: await read(), readAt: Date.now() }
    const last = { ...answer, isKept: false }
    memory.set(last)
    keeper?.keep(answer)
    return ready(last)
  } catch (cause) {
    const error = toAppError(cause)
    // What an earlier visit left is for want of a network alone.
    if (memory.get()?.isKept) memory.set(undefined)
    const last = memory.get()
    return last ? ready(last, error) : { state: 'failed', error }
  }
}

/** Without a network: what was last read, in this visit or else in an earlier one. */
export async function recall<T>(memory: Memory<T>, keeper: Keeper<T> | null): Promise<Ready<T> | Failed> {
  const kept = memory.get() ? undefined : await keeper?.recall()
  if (kept) memory.set({ ...kept, isKept: true })
  const last = memory.get()
  return last ? ready(last) : { state: 'failed', error: new AppError('network', 'There is no network') }
}

function ready<T>(last: Last<T>, failure: AppError | null = null): Ready<T> {
  return { state: 'ready', ...last, updating: false, failure }
}
