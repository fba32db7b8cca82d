import type { Setter } from 'jotai'

import { failureMessage } from '../lib/writes.ts'
import { announceAtom } from './announcements.tsx'
import { type Action, notifyWithAction } from './toasts.tsx'

/** A write that can be tried again until it succeeds. An Undo never discards a later edit. */
export type Attempt = {
  write: () => Promise<unknown>
  /** For messages: `subject` was `done`. */
  subject: string
  done: string
  /** Announced instead of that; empty if something else says it. */
  announcement?: string
  /** Reads again what the write may have changed, whether it succeeded or not. */
  after: (isDone: boolean) => unknown
}

/** Writes, and says so. If that fails, it can be tried again. */
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

/** Says what was done, with Undo and maybe other actions. */
export function notifyWithUndo(set: Setter, message: string, undo: Attempt, ...others: Action[]): void {
  notifyWithAction(message, [{ label: 'Undo', run: () => void attempt(set, undo) }, ...others])
}

/** Undoes “The change of …”. */
export const undoOf = (subject: string, write: Attempt['write'], after: Attempt['after']): Attempt => ({
  write,
  subject: `The change of ${subject}`,
  done: 'undone',
  after,
})
