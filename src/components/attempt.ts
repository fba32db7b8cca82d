import type { Setter } from 'jotai'

import { failureMessage } from '../lib/writes.ts'
import { announceAtom } from './announcements.tsx'
import { notifyWithAction } from './toasts.tsx'

/** A write that the owner can retry until it succeeds. */
type Attempt = {
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
