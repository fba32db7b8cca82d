import type { Row } from '@tanstack/react-table'
import { useAtomValue } from 'jotai'
import { memo } from 'react'

import { COLUMN_COUNT, isSameItem, type Item } from '../items/fields.ts'
import { entryId } from '../log-view/jump.ts'
import { isItemOpenAtom } from '../log-view/open-item.ts'
import type { features, LogTableModel } from './columns.tsx'
import { DetailsSlot } from './Details.tsx'
import styles from './LogTable.module.css'
import { Entry, nameId, NameIdContext } from './markup.tsx'
import { ReplaceLine } from './ReplaceLine.tsx'

type Props = {
  row: Row<typeof features, Item>
  isEnded: boolean
  FlexRender: LogTableModel['FlexRender']
}

/** Compares items by value, because every reload creates new objects. */
export const ItemRow = memo(
  function ItemRow({ row, isEnded, FlexRender }: Props) {
    const item = row.original
    const isOpen = useAtomValue(isItemOpenAtom(item.id))
    return (
      <>
        <NameIdContext value={nameId(item)}>
          <Entry id={entryId(item.id)} data-item={item.id} data-ended={isEnded ? '' : undefined}>
            {row.getAllCells().map((cell) => (
              <FlexRender key={cell.id} cell={cell} />
            ))}
          </Entry>
        </NameIdContext>
        {isOpen && (
          <>
            <ReplaceLine item={item} />
            <tr className={styles.details}>
              <td colSpan={COLUMN_COUNT}>
                <DetailsSlot item={item} />
              </td>
            </tr>
          </>
        )}
      </>
    )
  },
  (before, after) => before.isEnded === after.isEnded && isSameItem(before.row.original, after.row.original),
)
