import { atom, type Getter, type Setter } from 'jotai'

import type {
  WriteInput,
  WriteName,
  Written,
} from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { announceAtom } from '../../components/announcements.tsx'
import { type Action, notifyDone, notifyWithAction } from '../../components/toasts.tsx'
import { type Result, runCommand } from '../../lib/commands.ts'
import { removeWaitingAtom } from '../../lib/outbox.ts'
import { AppError } from '../../lib/errors.ts'
import { formatsAtom } from '../../lib/formats.ts'
import type { ShownItem } from '../../lib/waiting.ts'
import { failureMessage, newUuid } from '../../lib/writes.ts'
import { logAtom } from '../entries/log.ts'

export type Outcome<Name extends WriteName> = {
  /** For messages such as "`subject` was `done`." */
  subject: string
  done: string
  /** Replaces the default message. */
  message?: string | ((written: Result<Name>) => string)
  /** What the screen needs to show the change while it waits. */
  items?: readonly ShownItem[]
  /** Buttons next to Undo. */
  actions?: (written: Written<Name>) => Action[]
  /** `undo` is null if there was nothing to write. */
  onWritten?: (written: Written<Name>, undo: (() => void) | null) => void
  onUndone?: () => void
}

/** Runs a command and offers Undo. If the command waits for the network, says so, and Undo removes it. Resolves once the logs that it touched are read. Throws an AppError. */
export async function mutate<Name extends WriteName>(
  get: Getter,
  set: Setter,
  command: Name,
  input: WriteInput<Name>,
  outcome: Outcome<Name>,
  key = newUuid(),
): Promise<Written<Name>> {
  const { subject, done, message = `${subject} was ${done}.`, items, actions, onWritten, onUndone } = outcome
  const written = await runCommand(get, set, command, input, key, subject, items)
  const saved = () => (typeof message === 'string' ? message : message(written))
  const undo = offerUndo(
    get,
    set,
    written.isWaiting ? `The change to ${subject} waits for the network.` : saved(),
    { change: written.change, of: subject, onUndone },
    actions?.(written),
  )
  onWritten?.(written, undo)
  await settle(set, written)
  return written
}

/** Runs a command as `mutate` does. A failure is a toast with `Try again`, which can't run the command twice. */
export async function attempt<Name extends WriteName>(
  get: Getter,
  set: Setter,
  command: Name,
  input: WriteInput<Name>,
  outcome: Outcome<Name>,
  key = newUuid(),
): Promise<void> {
  try {
    await mutate(get, set, command, input, outcome, key)
  } catch (cause) {
    const run = () => void attempt(get, set, command, input, outcome, key)
    offerRetry(failureMessage(outcome.subject, outcome.done, cause), run)
  }
}

const offerRetry = (message: string, run: () => void) =>
  notifyWithAction(message, { label: 'Try again', run }, { stays: true })

const settle = (set: Setter, { touched }: Written<WriteName>) =>
  Promise.all(touched.bikes.map((bike) => set(logAtom(bike).settleAtom)))

type Undoable = {
  /** Null: nothing was changed, so there is no Undo. */
  change: string | null
  /** For messages that begin with `The change to …`. */
  of: string
  onUndone?: (() => void) | undefined
}

/**
 * Shows a toast with Undo, which never discards a later edit: if there is one, Undo changes nothing and shows it. Returns
 * a function that undoes the change and closes the toast.
 */
export function offerUndo(
  get: Getter,
  set: Setter,
  message: string,
  { change, of, onUndone }: Undoable,
  actions: readonly Action[] = [],
): (() => void) | null {
  if (change === null) {
    notifyDone(message)
    return null
  }
  const key = newUuid()
  const run = async () => {
    close()
    try {
      await undo(get, set, change, key)
      set(announceAtom, `The change to ${of} was undone.`)
      onUndone?.()
    } catch (cause) {
      offerRetry(failureMessage(`The change to ${of}`, 'undone', cause), () => void run())
    }
  }
  const close = notifyWithAction(message, [{ label: 'Undo', run: () => void run() }, ...actions])
  return () => void run()
}

/** Undoes a change, or removes it if it waits. Throws an AppError, also if what it wrote has been changed since. */
async function undo(get: Getter, set: Setter, change: string, key = newUuid()): Promise<void> {
  if (await set(removeWaitingAtom, change)) return
  const written = await runCommand(get, set, 'undo', { change }, key)
  await rejectConflicts(get, written)
  await settle(set, written)
}

export const undoAtom = atom(null, undo)

async function rejectConflicts(get: Getter, { answer: { conflicts } }: Written<'undo'>): Promise<void> {
  if (conflicts.length === 0) return
  const { conflictText } = await import('../../../supabase/functions/_shared/messages/change-messages.ts')
  const formats = get(formatsAtom)
  throw new AppError('explained', conflicts.map((one) => conflictText(one, formats)).join(' '))
}
