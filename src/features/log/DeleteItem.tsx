import { atom, type Getter, type Setter, useAtom, useSetAtom } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { ROLES } from '../../components/table-roles.ts'
import { notifyFailure, notifyWithAction } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/formats.ts'
import { failureMessage } from '../../lib/writes.ts'
import { type DeletedItem, deleteItem, restoreItem } from '../items/api.ts'
import { cellKey } from '../items/cell.ts'
import { type Draft, draftAtom } from '../items/drafts.ts'
import { type Field, FIELD_NAMES, type Item } from '../items/fields.ts'
import { reloadLogsAtom } from '../items/log.ts'
import styles from './LogTable.module.css'

type Deletion = { item: DeletedItem; drafts: { field: Field; draft: Draft | null }[] }

/** Deletes an item and offers Undo. Resolves to whether the item was deleted. */
export const deleteItemAtom = atom(null, async (get, set, item: Item): Promise<boolean> => {
  let deleted: DeletedItem
  try {
    deleted = (await deleteItem(get(backendAtom).client, item)) ?? item
  } catch (cause) {
    notifyFailure(failureMessage(quote(item.name), 'deleted', cause))
    return false
  }
  const drafts = FIELD_NAMES.map((field) => ({ field, draft: get(draftAtom(cellKey(item, field))) }))
  for (const { field } of drafts) set(draftAtom(cellKey(item, field)), null)
  notifyWithAction(`${quote(item.name)} was deleted.`, {
    label: 'Undo',
    run: () => void undo(get, set, { item: deleted, drafts }),
  })
  await set(reloadLogsAtom, [item.bikeId])
  return true
})

async function undo(get: Getter, set: Setter, deletion: Deletion): Promise<void> {
  const { item, drafts } = deletion
  try {
    await restoreItem(get(backendAtom).client, item)
  } catch (cause) {
    // The item now only exists in this toast, so it stays until the owner responds.
    notifyWithAction(
      failureMessage(quote(item.name), 'restored', cause),
      { label: 'Try again', run: () => void undo(get, set, deletion) },
      { stays: true },
    )
    return
  }
  set(announceAtom, `${quote(item.name)} was restored.`)
  await set(reloadLogsAtom, [item.bikeId])
  for (const { field, draft } of drafts) set(draftAtom(cellKey(item, field)), draft)
}

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
        className={`quiet ${styles.deleteButton}`}
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
