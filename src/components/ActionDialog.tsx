import { type ReactNode, useState } from 'react'

import { messageFor, toAppError } from '../lib/errors.ts'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  closeLabel?: string
  problem: string | null
  isBusy: boolean
  actions: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A dialog that stays open while its actions run. */
export function ActionDialog({
  title,
  closeLabel = 'Close',
  problem,
  isBusy,
  actions,
  onClose,
  children,
}: Props) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            {closeLabel}
          </button>
          {actions}
        </>
      }
    >
      <div className="stack" aria-busy={isBusy}>
        {children}
        <p role="alert" className="problem">
          {problem}
        </p>
      </div>
    </Dialog>
  )
}

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
