import { useAtomValue } from 'jotai'
import { useState } from 'react'

import { useReadOnly } from '../../../components/read-only.ts'
import { Section } from '../../../components/Section.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import { dayOf } from '../../../lib/days.ts'
import { messageFor } from '../../../lib/errors.ts'
import { isSettled } from '../../../lib/resource.ts'
import { bikeNameAtom, bikesAtom } from '../../bikes/atoms.ts'
import { InclEarlier } from '../data/InclEarlier.tsx'
import type { StoredPart } from './api.ts'
import { storedPartsAtom } from './atoms.ts'
import { type Candidate, MoveDialog } from './MoveDialog.tsx'

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
  const stored = useAtomValue(storedPartsAtom)
  const bikes = useAtomValue(bikesAtom)
  const parts = stored.state === 'ready' ? stored.data : []
  const installed = parts.find((part) => part.part_id === part_id)
  const isKnown = [stored, bikes].every(isSettled)
  const offer = installed && {
    part: candidateOf(installed, installed),
    candidates: parts.filter((part) => part !== installed).map((part) => candidateOf(part, installed)),
    bikes: bikes.state === 'ready' ? bikes.data : [],
    notBefore: dayOf(installed.stored_at),
  }
  return (
    <MoveDialog
      kind="install"
      name={name}
      offer={(isKnown && offer) || null}
      problem={
        stored.state === 'failed'
          ? messageFor(stored.error)
          : isKnown && !offer
            ? 'This part is no longer stored.'
            : undefined
      }
      onClose={onClose}
    />
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
