import type { Setter } from 'jotai'

import { failureMessage } from '../lib/writes.ts'
import { announceAtom } from './announcements.tsx'
import { type Action, notifyWithAction } from './toasts.tsx'

/** A write that the owner can retry until it succeeds. An Undo must never discard a later edit. */
export type Attempt = {
  write: () => Promise<unknown>
  /** For messages such as "`subject` was `done`." */
  subject: string
  done: string
  /** Replaces the default announcement. Empty to announce nothing. */
  announcement?: string
  /** Reads the affected data again. Runs even if the write failed, because it may have been saved. */
  after: (isDone: boolean) => unknown
}

/** Runs the write and announces the result. If the write fails, shows a toast with `Try again`. */
export async function attempt(set: Setter, one: Attempt): Promise<void> {
  const { write, subject, done, announcement = `${subject} was ${done}.`, after } = one
  let isDone = true
  try {
    await write()
    if (announcement !== '') set(announceAtom, announcement)
  } catch (cause) {
    isDone = false
    const again = { label: 'Try again', run: () => void attempt(set, one) }
    notifyWithAction(failureMessage(subject, done, cause), again, { stays: true })
  }
  await after(isDone)
}

export function notifyWithUndo(set: Setter, message: string, undo: Attempt, ...others: Action[]): void {
  notifyWithAction(message, [{ label: 'Undo', run: () => void attempt(set, undo) }, ...others])
}

/** Creates an Undo whose messages begin with “The change of …”. */
export const undoOf = (subject: string, write: Attempt['write'], after: Attempt['after']): Attempt => ({
  write,
  subject: `The change of ${subject}`,
  done: 'undone',
  after,
})
