import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { SavedEarlier } from '../../lib/errors.ts'
import { failureMessage, newUuid } from '../../lib/writes.ts'
import { undoAtom } from './mutate.ts'

type Failed = {
  subject: string
  done: string
  /** Explains some errors. */
  describe?: (cause: unknown) => string | null
}

const newAttempt = (earlier: string | null = null) => ({ key: newUuid(), earlier })

/**
 * Saves a form under one key, so that a retry can't save it twice. If an earlier version was saved, saving again replaces
 * it. Resolves to null, or to the message to show.
 */
export function useSave() {
  const undo = useSetAtom(undoAtom)
  const [{ key, earlier }, setAttempt] = useState(newAttempt)
  return async (
    write: (key: string) => Promise<unknown>,
    { subject, done, describe = () => null }: Failed,
  ): Promise<string | null> => {
    try {
      if (earlier !== null) {
        await undo(earlier)
        setAttempt({ key, earlier: null })
      }
      await write(key)
      return null
    } catch (cause) {
      if (cause instanceof SavedEarlier) setAttempt(newAttempt(cause.stored.change))
      return describe(cause) ?? failureMessage(subject, done, cause)
    }
  }
}
