import type { Getter, Setter } from 'jotai'

import { attempt } from '../../components/attempt.ts'
import { type Action, notifyDone, notifyWithAction } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { formatsAtom } from '../../lib/formats.ts'
import { AppError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/writes.ts'
import { undo } from './api.ts'

type Undoable = {
  /** Null: nothing was changed, so there is no Undo. */
  change: string | null
  /** For messages that begin with `The change to …`. */
  of: string
  /** Reads the affected data again. Runs even if the Undo failed, because it may have been saved. */
  after: (isUndone: boolean) => unknown
}

/**
 * Shows a toast with Undo, which never discards a later edit: if there is one, Undo changes nothing and shows it. Returns
 * a function that undoes the change and closes the toast.
 */
export function offerUndo(
  get: Getter,
  set: Setter,
  message: string,
  { change, of, after }: Undoable,
  ...others: Action[]
): (() => void) | null {
  if (change === null) {
    notifyDone(message)
    return null
  }
  const key = newUuid()
  const write = async () => {
    const { conflicts } = await undo(get(backendAtom).client, change, { key })
    if (conflicts.length === 0) return
    const { conflictText } = await import('./change-messages.ts')
    const formats = get(formatsAtom)
    throw new AppError('conflict', conflicts.map((one) => conflictText(one, formats)).join(' '))
  }
  const run = () => {
    close()
    void attempt(set, { write, subject: `The change to ${of}`, done: 'undone', after })
  }
  const close = notifyWithAction(message, [{ label: 'Undo', run }, ...others])
  return run
}

type Writing = Omit<Undoable, 'change'> & { change: Promise<string | null> }

/** Waits for a write, offers Undo and reads the data again. Rejects if the write fails. */
export async function undoable(get: Getter, set: Setter, message: string, writing: Writing): Promise<void> {
  const { change, of, after } = writing
  try {
    offerUndo(get, set, message, { change: await change, of, after })
  } catch (cause) {
    // The write, or an earlier attempt, may have been saved.
    void after(false)
    throw cause
  }
  await after(false)
}
