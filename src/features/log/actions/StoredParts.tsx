import { useAtomValue } from 'jotai'
import { useState } from 'react'

import { lazyDialog } from '../../../components/lazy-screen.tsx'
import { useReadOnly } from '../../../components/read-only.ts'
import { Section } from '../../../components/Section.tsx'
import { Waits } from '../../../components/Waits.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import { dayOf } from '../../../lib/days.ts'
import { NOT_COUNTED } from '../../../lib/waiting.ts'
import { bikeNameAtom } from '../../bikes/atoms.ts'
import { InclEarlier } from '../../entries/InclEarlier.tsx'
import type { StoredPart } from './api.ts'
import { storedPartsAtom } from './atoms.ts'

const InstallDialog = lazyDialog(() => import('./InstallDialog.tsx'))

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

function StoredRow({ part, onInstall }: { part: StoredPart; onInstall: () => void }) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const readOnly = useReadOnly('change_parts')
  return (
    <li className="list-row">
      <p className="row-title">
        {part.name}{' '}
        <small className="wide-only" data-type={part.type ?? ''}>
          {part.type}
        </small>
      </p>
      <p className="soft">
        {`${part.isUncounted ? NOT_COUNTED : formats.distance.formatWhole(part.distance)} · since ${formats.shortDay(dayOf(part.stored_at), today)}, from ${bikeName(part.gear_id)}`}
        <InclEarlier part={part} />
        <Waits relation="maintenance" id={part.item_id} />
      </p>
      <span className="row-end">
        <button type="button" aria-label={`Install ${part.name}…`} {...readOnly} onClick={onInstall}>
          Install…
        </button>
      </span>
    </li>
  )
}
