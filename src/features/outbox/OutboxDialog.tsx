import { useAtomValue, useSetAtom } from 'jotai'

import { Dialog } from '../../components/Dialog.tsx'
import { ListRow } from '../../components/ListRow.tsx'
import { localDay } from '../../lib/days.ts'
import type { Values } from '../../lib/errors.ts'
import { type Formats, formatTime, useFormats } from '../../lib/formats.ts'
import { isAsked, type Waiting, waitingAtom } from '../../lib/waiting.ts'
import { timeOf } from '../../../supabase/functions/_shared/formats/keys.ts'
import { differences, listed } from '../../../supabase/functions/_shared/messages/change-messages.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { dropAtom, saveMineAndSendAtom } from './atoms.ts'

/** Lists what waits for the network, and what was refused with the values of both. */
export default function OutboxDialog({ onClose }: { onClose: () => void }) {
  const all = useAtomValue(waitingAtom)
  const opens = 'serviceWorker' in navigator
  return (
    <Dialog
      title="Changes that wait"
      lead={opens ? undefined : 'Keep this tab open, because it can’t be opened again without the network.'}
      onClose={onClose}
    >
      {all.length === 0 ? (
        <p className="soft">Everything is saved.</p>
      ) : (
        <ul className="card list">
          {all.map((one) => (
            <Row key={one.key} change={one} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

const VERBS: Partial<Record<Waiting['command'], string>> = {
  mark_done: 'Done',
  snooze: 'Snooze',
  add_item: 'Add',
  add_measurement: 'Add',
  add_file: 'Add',
  add_task: 'Add task',
  undo: 'Take back',
}

function verbOf(change: Waiting): string {
  if (change.command !== 'change_parts') return VERBS[change.command] ?? 'Edit'
  const { take_off, put_on } = change.input
  if (put_on.length === 0) return 'Store'
  if (put_on.some((put) => 'replaces' in put)) return 'Replace'
  return take_off.some(({ id }) => put_on.some((put) => put['part_of'] === id)) ? 'Move' : 'Install'
}

function Row({ change }: { change: Waiting }) {
  const formats = useFormats()
  const drop = useSetAtom(dropAtom)
  const saveMine = useSetAtom(saveMineAndSendAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const { key, id, command, subject, refusal } = change
  const at = new Date(timeOf(key) || -id)
  const about = [`${formats.day(localDay(at))}, ${formatTime(at)}`, valuesOf(change, formats, bikeName)]
  return (
    <ListRow
      title={`${verbOf(change)}: ${subject}`}
      about={about.filter(Boolean).join(' · ')}
      end={
        <>
          {refusal ? (
            <button type="button" onClick={() => void saveMine(key)}>
              {isAsked(refusal) ? 'Send' : 'Save mine'}
            </button>
          ) : (
            <span className="note">Waiting</span>
          )}
          {(refusal || command !== 'undo') && (
            <button type="button" className="quiet" onClick={() => void drop(change)}>
              {refusal ? 'Drop' : 'Remove'}
            </button>
          )}
        </>
      }
    >
      {refusal && <p className="problem">{refusal.message}</p>}
    </ListRow>
  )
}

/** Lists what was typed and chosen. Of an edit, from what the owner saw or, if that was changed elsewhere, from what is stored. */
function valuesOf(change: Waiting, formats: Formats, bikeName: (id: number) => string): string {
  const { command, input, refusal } = change
  if (command === 'change_parts') {
    const [first] = input.put_on
    const { name, bikeId, part_of, ...values } = (first ?? {}) as Values
    const to = part_of === undefined ? `with ${name}` : `to ${bikeName(Number(bikeId))}`
    return [formats.day(input.day), first && to, listed('maintenance', values, formats)]
      .filter(Boolean)
      .join(' · ')
  }
  if (command === 'add_item') return withoutName('maintenance', input.item as Values, formats)
  if (command === 'add_task') return withoutName('service_tasks', input.task as Values, formats)
  if (command === 'add_measurement') return listed('wear_measurements', input.measurement as Values, formats)
  if (command === 'edit_row' || command === 'correct_event') {
    const relation = command === 'edit_row' ? input.relation : 'service_events'
    const wanted = input.wanted as Values
    const before = refusal?.stored ?? (input.shown as Values | undefined) ?? {}
    return differences(relation, pick(before, wanted), wanted, formats)
  }
  if (command !== 'mark_done') return ''
  const { cost, note } = input
  const stored = refusal?.stored
  if (stored)
    return differences(
      'service_events',
      stored,
      { cost: cost ?? stored['cost']!, note: note ?? stored['note']! },
      formats,
    )
  return [cost === undefined ? '' : formats.money(cost), note].filter(Boolean).join(' · ')
}

/** The name is in the title. */
const withoutName = (relation: Parameters<typeof listed>[0], values: Values, formats: Formats) =>
  listed(relation, { ...values, name: null }, formats)

const pick = (from: Values, names: Values): Values =>
  Object.fromEntries(Object.keys(names).map((name) => [name, from[name] ?? null]))
