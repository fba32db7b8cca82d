import { Dialog } from '../../../components/Dialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { dayOf } from '../../../lib/days.ts'
import { bikesAtom } from '../../bikes/atoms.ts'
import type { StoredPart } from './api.ts'
import { storedPartsAtom } from './atoms.ts'
import { type Candidate, MoveDialog, moveTitle } from './MoveDialog.tsx'

type InstallProps = { part: Pick<StoredPart, 'part_id' | 'name'>; onClose: () => void }

/** Asks on which bike and day a stored part goes. */
export default function InstallDialog({ part: { part_id, name }, onClose }: InstallProps) {
  const opening = { title: moveTitle('install'), lead: name, onClose }
  return (
    <ResourceDialog {...opening} reads={[storedPartsAtom, bikesAtom]}>
      {(parts, bikes) => {
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
function candidateOf({ item_id, gear_id, type, name, stored_at }: StoredPart, of: StoredPart): Candidate {
  const isTicked = gear_id === of.gear_id && dayOf(stored_at) === dayOf(of.stored_at)
  return { id: item_id, bikeId: gear_id, type, name, isTicked }
}
