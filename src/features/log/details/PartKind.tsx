import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { useReadOnly } from '../../../components/read-only.ts'
import { counted } from '../../../lib/formats.ts'
import { KindButton, KindPanel } from '../../editors/KindChooser.tsx'
import { correctKindAtom, sameParts } from '../../editors/name-kinds.ts'
import type { Item } from '../../entries/fields.ts'
import { allItemsAtom } from '../../entries/log.ts'
import styles from './ItemDetails.module.css'

/** Shows and corrects what an entry's part is and where. */
export function PartKind({ item }: { item: Item }) {
  const { kind = null, position } = item
  return (
    <section className={styles.kind} aria-label="Kind">
      <span className="note">Kind</span>
      <KindButton value={{ kind, position }} readOnly={useReadOnly()}>
        {(close) => <Correction item={item} onClose={close} />}
      </KindButton>
    </section>
  )
}

/** Asks for kind, end and other parts before it saves, so that a correction is one change. */
function Correction({ item, onClose }: { item: Item; onClose: () => void }) {
  const was = { kind: item.kind ?? null, position: item.position }
  const [now, setNow] = useState(was)
  const [isForAll, setForAll] = useState(false)
  const correct = useSetAtom(correctKindAtom)
  // A bike's page doesn't show the logs of the others.
  const items = useAtomValue(allItemsAtom)
  const others = items.state === 'ready' ? sameParts(items.data, item) : []
  const save = () => {
    onClose()
    void correct({ item, others: isForAll ? others : [], now })
  }
  return (
    <KindPanel value={now} onChange={setNow}>
      {others.length > 0 && (
        <label className="row">
          <input type="checkbox" checked={isForAll} onChange={({ target }) => setForAll(target.checked)} />
          {`Also ${counted(others.length, 'other part')} of that name`}
        </label>
      )}
      <button
        type="button"
        className="primary"
        disabled={now.kind === was.kind && now.position === was.position}
        onClick={save}
      >
        Save
      </button>
    </KindPanel>
  )
}
