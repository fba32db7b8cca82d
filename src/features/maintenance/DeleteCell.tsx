import { useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import type { Item } from './api.ts'
import { askedToDeleteAtom, deleteButtonId } from './deleting.ts'
import styles from './LogTable.module.css'

export function DeleteCell({ item }: { item: Item }) {
  const ask = useSetAtom(askedToDeleteAtom)
  const readOnly = useReadOnly()
  return (
    <td className={styles.action}>
      <button
        type="button"
        id={deleteButtonId(item)}
        className={styles.delete}
        {...readOnly}
        onClick={() => ask(item)}
      >
        Delete
      </button>
    </td>
  )
}
