import { useAtom, useSetAtom } from 'jotai'

import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import type { Item } from './api.ts'
import { askedToDeleteAtom, deleteButtonId } from './deleting.ts'
import { removeAtom } from './remove.ts'

/** Asks before an item is deleted. `onEmptied` takes the focus when no neighbour is left for it. */
export function DeleteDialog({ items, onEmptied }: { items: Item[]; onEmptied: () => void }) {
  const [asked, ask] = useAtom(askedToDeleteAtom)
  const remove = useSetAtom(removeAtom)
  if (asked === null) return null

  const confirm = async () => {
    const place = items.findIndex((item) => item.id === asked.id)
    const neighbour = items[place + 1] ?? items[place - 1]
    ask(null)
    if (!(await remove(asked))) return
    const next = neighbour && document.getElementById(deleteButtonId(neighbour))
    if (next) next.focus()
    else onEmptied()
  }

  return (
    <ConfirmDialog
      question="Are you sure to delete this record?"
      detail={asked.name}
      confirmLabel="Delete"
      onConfirm={() => void confirm()}
      onCancel={() => ask(null)}
    />
  )
}
