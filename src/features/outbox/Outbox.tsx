import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'

import { Banner } from '../../components/Banner.tsx'
import { lazyDialog } from '../../components/lazy-screen.tsx'
import { isOfflineAtom, onWake } from '../../lib/connection.ts'
import { counted } from '../../lib/formats.ts'
import { clearWaitingAtom, showOutboxAtom, storedOutboxAtom } from '../../lib/outbox.ts'
import { isAsked, type Waiting, waitingAtom } from '../../lib/waiting.ts'
import { changesTotals } from '../../lib/waiting-rows.ts'
import { sendAtom } from './atoms.ts'

const OutboxDialog = lazyDialog(() => import('./OutboxDialog.tsx'))

const REPEAT_MS = 30_000

/** Says how many changes wait, and sends them once the tracker can be reached. */
export function Outbox() {
  const all = useAtomValue(waitingAtom)
  const send = useSetAtom(sendAtom)
  const stored = useAtomValue(storedOutboxAtom)
  const show = useSetAtom(showOutboxAtom)
  const isOffline = useAtomValue(isOfflineAtom)
  const [isOpen, setOpen] = useState(false)
  const clear = useSetAtom(clearWaitingAtom)
  useEffect(() => clear, [clear])
  useEffect(() => {
    if (stored) show(stored)
  }, [stored, show])
  const unsent = all.filter(({ refusal }) => !refusal).length
  useEffect(() => {
    if (isOffline || unsent === 0) return undefined
    const start = () => void send()
    start()
    // The tracker may have been busy.
    const timer = setInterval(start, REPEAT_MS)
    const stop = onWake(start)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [send, isOffline, unsent])

  return (
    <>
      <Banner
        action={
          all.length > 0 && (
            <button type="button" onClick={() => setOpen(true)}>
              Show
            </button>
          )
        }
      >
        {all.length > 0 && <p>{messageOf(all)}</p>}
      </Banner>
      {isOpen && <OutboxDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function messageOf(all: readonly Waiting[]): string {
  const asked = all.filter(({ refusal }) => isAsked(refusal)).length
  const refused = all.filter(({ refusal }) => refusal).length - asked
  const waiting = all.length - refused - asked
  const parts = [
    waiting > 0 && `${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} for the network`,
    refused > 0 && `${counted(refused, 'change')} could not be saved`,
    asked > 0 && `${counted(asked, 'change')} ${asked === 1 ? 'waits' : 'wait'} for your decision`,
  ]
  const message = parts.filter(Boolean).join(', ')
  return all.some(changesTotals) ? `${message}. Totals leave out what waits.` : message
}
