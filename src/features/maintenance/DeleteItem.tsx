import { atom, useAtom, useSetAtom } from 'jotai'

import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { ROLES } from '../../components/table-roles.ts'
import { deleteItemAtom } from './delete-item.ts'
import type { Item } from './fields.ts'
import styles from './LogTable.module.css'

/** The item that the dialog asks about. */
const askedItemAtom = atom<Item | null>(null)

function buttonId({ id }: Item): string {
  return `delete-${id}`
}

export function DeleteCell({ item }: { item: Item }) {
  const ask = useSetAtom(askedItemAtom)
  const readOnly = useReadOnly()
  return (
    <td {...ROLES.cell} className={styles.action}>
      <button
        type="button"
        id={buttonId(item)}
        className={styles.deleteButton}
        {...readOnly}
        onClick={() => ask(item)}
      >
        Delete
      </button>
    </td>
  )
}

/** Asks before deleting an item, then focuses a neighbor's Delete button. Calls `onEmptied` if there is no neighbor. */
export function DeleteDialog({ items, onEmptied }: { items: readonly Item[]; onEmptied: () => void }) {
  const [item, ask] = useAtom(askedItemAtom)
  const deleteItem = useSetAtom(deleteItemAtom)
  if (item === null) return null

  const confirm = async () => {
    const index = items.findIndex(({ id }) => id === item.id)
    const neighbor = items[index + 1] ?? items[index - 1]
    ask(null)
    if (!(await deleteItem(item))) return
    const button = neighbor && document.getElementById(buttonId(neighbor))
    if (button) button.focus()
    else onEmptied()
  }

  return (
    <ConfirmDialog
      question="Are you sure to delete this record?"
      detail={item.name}
      confirmLabel="Delete"
      onConfirm={() => void confirm()}
      onCancel={() => ask(null)}
    />
  )
}
