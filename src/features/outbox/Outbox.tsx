import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'

import { Banner } from '../../components/Banner.tsx'
import { lazyDialog } from '../../components/lazy-screen.tsx'
import { isOfflineAtom, onWake } from '../../lib/connection.ts'
import { counted } from '../../lib/formats.ts'
import { clearWaitingAtom, storedWaitingAtom } from '../../lib/outbox.ts'
import { waitingAtom } from '../../lib/waiting.ts'
import { sendAtom } from './atoms.ts'

const OutboxDialog = lazyDialog(() => import('./OutboxDialog.tsx'))

/** Says how many changes wait, and sends them once the tracker can be reached. */
export function Outbox() {
  const [all, show] = useAtom(waitingAtom)
  const send = useSetAtom(sendAtom)
  const stored = useAtomValue(storedWaitingAtom)
  const isOffline = useAtomValue(isOfflineAtom)
  const [isOpen, setOpen] = useState(false)
  const clear = useSetAtom(clearWaitingAtom)
  useEffect(() => clear, [clear])
  useEffect(() => {
    if (stored) show(stored)
  }, [stored, show])
  useEffect(() => {
    const start = () => void send()
    if (!isOffline) start()
    return onWake(start)
  }, [send, isOffline])

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
        {all.length > 0 && <p>{messageOf(all.length, all.filter(({ refusal }) => refusal).length)}</p>}
      </Banner>
      {isOpen && <OutboxDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function messageOf(all: number, refused: number): string {
  const waiting = all - refused
  return [
    ...(waiting > 0
      ? [`${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} for the network`]
      : []),
    ...(refused > 0 ? [`${counted(refused, 'change')} could not be saved`] : []),
  ].join(', ')
}
