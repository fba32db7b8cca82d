import { Dialog } from '../../../components/Dialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { dayOf } from '../../../lib/days.ts'
import { orElse } from '../../../lib/resource.ts'
import { itemOf } from '../../../lib/waiting-rows.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import type { Item } from '../../entries/fields.ts'
import { allItemsAtom } from '../../entries/log.ts'
import type { StoredPart } from './api.ts'
import { storedPartsAtom } from './atoms.ts'
import { type Candidate, MoveDialog, moveTitle } from './MoveDialog.tsx'

type InstallProps = { part: Pick<StoredPart, 'part_id' | 'name'>; onClose: () => void }

/** Asks on which bike and day a stored part goes. */
export default function InstallDialog({ part: { part_id, name }, onClose }: InstallProps) {
  const opening = { title: moveTitle('install'), lead: name, onClose }
  return (
    <ResourceDialog {...opening} reads={[storedPartsAtom, bikesAtom, orElse(allItemsAtom, [])]}>
      {(parts, bikes, items) => {
        const candidateOf = (one: StoredPart, of: StoredPart) => asCandidate(one, of, items)
        const part = parts.find((one) => one.part_id === part_id)
        if (!part) return <Dialog {...opening}>This part is no longer stored.</Dialog>
        return (
          <MoveDialog
            kind="install"
            part={candidateOf(part, part)}
            candidates={parts.filter((one) => one !== part).map((one) => candidateOf(one, part))}
            bikes={bikes}
            notBefore={dayOf(part.stored_at)}
            onClose={onClose}
          />
        )
      }}
    </ResourceDialog>
  )
}

/** Returns a candidate that is ticked if the part was stored on the same day and came from the same bike. */
function asCandidate(part: StoredPart, of: StoredPart, items: readonly Item[]): Candidate {
  const { item_id, part_id, gear_id, type, name, stored_at } = part
  const isTicked = gear_id === of.gear_id && dayOf(stored_at) === dayOf(of.stored_at)
  const known = { bikeId: gear_id, type, name, dateEnded: stored_at, ended_as: 'stored' }
  const item = items.find(({ id }) => id === item_id) ?? itemOf(known, item_id, part_id)
  return { ...(item as Item), isTicked }
}
