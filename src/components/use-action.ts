import { useState } from 'react'

import { messageFor, toAppError } from '../lib/errors.ts'

/** Runs one action at a time. `problem` is the last failure's message. */
export function useAction() {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [fail] = useState(() => (cause: unknown) => setProblem(messageFor(toAppError(cause))))
  const run = (action: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    void action()
      .catch(fail)
      .finally(() => setBusy(false))
  }
  return { problem, isBusy, run, fail }
}
