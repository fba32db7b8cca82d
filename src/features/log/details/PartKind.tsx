import { useSetAtom } from 'jotai'

import { useReadOnly } from '../../../components/read-only.ts'
import { KindChooser } from '../../editors/KindChooser.tsx'
import { correctKindAtom } from '../../editors/name-kinds.ts'
import type { Item } from '../../entries/fields.ts'
import styles from './ItemDetails.module.css'

/** Shows and corrects what an entry's part is and where. */
export function PartKind({ item }: { item: Item }) {
  const correct = useSetAtom(correctKindAtom)
  const readOnly = useReadOnly()
  const { kind = null, position } = item
  return (
    <section className={styles.kind} aria-label="Kind">
      <span className="note">Kind</span>
      <KindChooser
        value={{ kind, position }}
        readOnly={readOnly}
        onChange={(now) => void correct(item, now)}
      />
    </section>
  )
}
