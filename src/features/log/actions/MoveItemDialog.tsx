import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { dayOf } from '../../../lib/days.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import type { Item } from '../../entries/fields.ts'
import { isTireOf, kindOf } from '../../entries/kinds.ts'
import { logAtom } from '../../entries/log.ts'
import type { Usage } from '../../entries/usage-api.ts'
import { partDetailsAtom, usageAtom } from '../../entries/usage.ts'
import { MoveDialog, type MoveKind, moveTitle } from './MoveDialog.tsx'

type Props = { kind: Exclude<MoveKind, 'install'>; item: Item; onClose: () => void }

export default function MoveItemDialog({ kind, item, onClose }: Props) {
  const reads = [logAtom(item.bikeId), partDetailsAtom(item), bikesAtom, usageAtom(item.bikeId)] as const
  return (
    <ResourceDialog title={moveTitle(kind)} lead={item.name} reads={reads} onClose={onClose}>
      {(log, { moved_together }, bikes, usage) => (
        <MoveDialog
          kind={kind}
          part={{ ...item, isTicked: true }}
          candidates={candidatesOf(item, log, moved_together, usage)}
          bikes={bikes}
          notBefore={dayOf(item.dateStarted)}
          onClose={onClose}
        />
      )}
    </ResourceDialog>
  )
}

/** Ticks the parts that moved with this part last time, or a wheel's tires, and lists the cassette and rotors next. */
function candidatesOf(item: Item, log: readonly Item[], movedBefore: readonly number[], usage: Usage) {
  const isWheel = item.type === 'Wheels'
  return log
    .filter(({ id, dateEnded, type }) => id !== item.id && dateEnded === null && type !== 'Frame')
    .map((one) => {
      const kind = isWheel ? kindOf(usage, one) : null
      const isTire = isTireOf(kindOf(usage, item), kind)
      const isTicked = movedBefore.includes(one.part_id) || (movedBefore.length === 0 && isTire)
      const place = isTicked ? 0 : isTire ? 1 : kind === 'cassette' || kind === 'rotor' ? 2 : 3
      return Object.assign({ isTicked, place }, one)
    })
    .toSorted((a, b) => a.place - b.place)
}
