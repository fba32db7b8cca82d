import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { dayOf } from '../../../lib/days.ts'
import { orElse } from '../../../lib/resource.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import type { Item } from '../../entries/fields.ts'
import { isTireOf } from '../../entries/kinds.ts'
import { logAtom } from '../../entries/log.ts'
import { partDetailsAtom } from '../../entries/usage.ts'
import type { PartDetails } from '../../entries/usage-api.ts'
import { MoveDialog, type MoveKind, moveTitle } from './MoveDialog.tsx'

const NOTHING_MOVED = { moved_together: [] }

type Props = { kind: Exclude<MoveKind, 'install'>; item: Item; onClose: () => void }

export default function MoveItemDialog({ kind, item, onClose }: Props) {
  // Offline, it may never have been read.
  const details = orElse<Pick<PartDetails, 'moved_together'>>(partDetailsAtom(item), NOTHING_MOVED)
  const reads = [logAtom(item.bikeId), details, bikesAtom] as const
  return (
    <ResourceDialog title={moveTitle(kind)} lead={item.name} reads={reads} onClose={onClose}>
      {(log, { moved_together }, bikes) => (
        <MoveDialog
          kind={kind}
          part={{ ...item, isTicked: true }}
          candidates={candidatesOf(item, log, moved_together)}
          bikes={bikes}
          notBefore={dayOf(item.dateStarted)}
          onClose={onClose}
        />
      )}
    </ResourceDialog>
  )
}

/** Ticks the parts that moved with this part last time, or a wheel's tires, and lists the cassette and rotors next. */
function candidatesOf(item: Item, log: readonly Item[], movedBefore: readonly number[]) {
  const isWheel = item.type === 'Wheels'
  return log
    .filter(({ id, dateEnded, type }) => id !== item.id && dateEnded === null && type !== 'Frame')
    .map((one) => {
      const kind = isWheel ? one.kind : null
      const isTire = isWheel && isTireOf(item, one)
      const isTicked = movedBefore.includes(one.part_id) || (movedBefore.length === 0 && isTire)
      const place = isTicked ? 0 : isTire ? 1 : kind === 'cassette' || kind === 'rotor' ? 2 : 3
      return Object.assign({ isTicked, place }, one)
    })
    .toSorted((a, b) => a.place - b.place)
}
