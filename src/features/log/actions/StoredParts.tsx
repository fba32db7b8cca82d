import { useAtomValue } from 'jotai'
import { useState } from 'react'

import { Dialog } from '../../../components/Dialog.tsx'
import { useReadOnly } from '../../../components/read-only.ts'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { Section } from '../../../components/Section.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import { dayOf } from '../../../lib/days.ts'
import { bikeNameAtom, bikesAtom } from '../../bikes/atoms.ts'
import { InclEarlier } from '../../entries/InclEarlier.tsx'
import type { StoredPart } from './api.ts'
import { storedPartsAtom } from './atoms.ts'
import { type Candidate, MoveDialog, moveTitle } from './MoveDialog.tsx'

export function StoredParts() {
  const stored = useAtomValue(storedPartsAtom)
  const [installing, setInstalling] = useState<StoredPart | null>(null)
  const parts = stored.state === 'ready' ? stored.data : []
  return (
    <>
      {parts.length > 0 && (
        <Section heading="Stored">
          <ul className="card list">
            {parts.map((part) => (
              <StoredRow key={part.part_id} part={part} onInstall={() => setInstalling(part)} />
            ))}
          </ul>
        </Section>
      )}
      {installing && <InstallDialog part={installing} onClose={() => setInstalling(null)} />}
    </>
  )
}

type InstallProps = { part: Pick<StoredPart, 'part_id' | 'name'>; onClose: () => void }

export function InstallDialog({ part: { part_id, name }, onClose }: InstallProps) {
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

function StoredRow({ part, onInstall }: { part: StoredPart; onInstall: () => void }) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const readOnly = useReadOnly()
  return (
    <li className="list-row">
      <p className="row-title">
        {part.name}{' '}
        <small className="wide-only" data-type={part.type ?? ''}>
          {part.type}
        </small>
      </p>
      <p className="soft">
        {`${formats.distance.formatWhole(part.distance)} · since ${formats.shortDay(dayOf(part.stored_at), today)}, from ${bikeName(part.gear_id)}`}
        <InclEarlier part={part} />
      </p>
      <span className="row-end">
        <button type="button" aria-label={`Install ${part.name}…`} {...readOnly} onClick={onInstall}>
          Install…
        </button>
      </span>
    </li>
  )
}
