import { useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { Dialog } from '../../../components/Dialog.tsx'
import { focusIfLost } from '../../../components/lost-focus.ts'
import { HeldFormats } from '../../../lib/formats.ts'
import { DeleteButton } from '../actions/DeleteItem.tsx'
import { COLUMN_NAMES, isWork, type Item } from '../../entries/fields.ts'
import { entryId } from '../../entries/jump.ts'
import { openItemAtom } from '../../entries/open-item.ts'
import { Details } from '../details/Details.tsx'
import { ItemField } from '../../editors/ItemField.tsx'
import { UseCell } from '../table/UseCells.tsx'
import styles from './EntryDialog.module.css'
import { inDialogOrder } from './order.ts'

/** Shows an entry that is opened from its line: its fields, each with its own SAVE, and its details. */
export function EntryDialog({ item }: { item: Item }) {
  const open = useSetAtom(openItemAtom)
  const { id } = item
  useEffect(() => () => focusIfLost(document.getElementById(entryId(id))?.querySelector('button')), [id])
  return (
    <Dialog
      title={item.name}
      lead={
        isWork(item) ? undefined : (
          <div className={styles.use}>
            <UseCell as="div" item={item} field="useMiles" />
            <UseCell as="div" item={item} field="useTime" />
          </div>
        )
      }
      tools={
        <span className={styles.delete}>
          <DeleteButton item={item} />
        </span>
      }
      isPage
      onClose={() => open(null)}
    >
      {/* A draft follows the formats, as in the table. */}
      <HeldFormats value={null}>
        <div className={styles.fields}>
          {inDialogOrder(COLUMN_NAMES).map((field) => (
            <ItemField key={field} as="div" item={item} field={field} />
          ))}
        </div>
        <Details item={item} />
      </HeldFormats>
    </Dialog>
  )
}
