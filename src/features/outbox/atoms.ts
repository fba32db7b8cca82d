import { atom } from 'jotai'

import { notifyFailure, notifyDone } from '../../components/toasts.tsx'
import { counted } from '../../lib/formats.ts'
import { lazyCode } from '../../lib/lazy-code.ts'
import { removeWaitingAtom, saveMineAtom } from '../../lib/outbox.ts'
import type { Delivered } from '../../lib/send-outbox.ts'
import { type Waiting } from '../../lib/waiting.ts'
import { failureMessage } from '../../lib/writes.ts'
import { offerUndo, undoAtom } from '../journal/mutate.ts'

/** More toasts would cover the screen. All changes lists each with its Undo. */
const MAX_TOASTS = 3

/** Most visits have nothing to send. */
const sendingCode = lazyCode(() => import('../../lib/send-outbox.ts'))

/** Sends what waits, and says what was saved and what was refused. */
export const sendAtom = atom(null, async (get, set) => {
  const { sendWaitingAtom } = await sendingCode()
  const { saved, refused } = await set(sendWaitingAtom)
  const written = saved.filter(({ change }) => change.command !== 'undo')
  if (written.length > MAX_TOASTS) notifyDone(`${counted(written.length, 'change')} were saved.`)
  else
    for (const one of written)
      offerUndo(get, set, `The change to ${one.change.subject} was saved.`, undoOf(one))
  for (const { subject, refusal } of refused)
    notifyFailure(`The change to ${subject} was not saved. ${refusal?.message}`)
})

const undoOf = ({ change, written }: Delivered) => ({ change: written.change, of: change.subject })

export const saveMineAndSendAtom = atom(null, async (_get, set, key: string) => {
  await set(saveMineAtom, key)
  await set(sendAtom)
})

/** Keys of the changes being removed, so a second press does nothing. */
const busy = new Set<string>()

/** Forgets a change, or undoes it if it was saved just now. What depended on a refused one is tried again. */
export const dropAtom = atom(null, async (_get, set, { key, command, subject, refusal }: Waiting) => {
  if (busy.has(key)) return
  busy.add(key)
  try {
    const isRemoved = await set(removeWaitingAtom, key)
    if (!isRemoved && !refusal && command !== 'undo') await set(undoAtom, key)
  } catch (cause) {
    notifyFailure(failureMessage(`The change to ${subject}`, 'removed', cause))
  } finally {
    busy.delete(key)
  }
  await set(sendAtom)
})
