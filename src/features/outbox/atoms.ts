import { atom } from 'jotai'

import { notifyFailure, notifyDone } from '../../components/toasts.tsx'
import { counted } from '../../lib/formats.ts'
import { type Delivered, removeWaitingAtom, saveMineAtom, sendWaitingAtom } from '../../lib/outbox.ts'
import { offerUndo } from '../journal/mutate.ts'

/** More toasts would cover the screen. All changes lists each with its Undo. */
const MAX_TOASTS = 3

/** Sends what waits, and says what was saved and what was refused. */
export const sendAtom = atom(null, async (get, set) => {
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

/** Forgets a change. What depended on a refused one is tried again. */
export const dropAtom = atom(null, async (_get, set, key: string) => {
  await set(removeWaitingAtom, key)
  await set(sendAtom)
})
