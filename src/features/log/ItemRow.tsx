import type { Row } from '@tanstack/react-table'
import { atom, useAtomValue } from 'jotai'
import { memo, useMemo, useRef } from 'react'

import { useLostFocus } from '../../components/lost-focus.ts'
import { ROLES } from '../../components/table-roles.ts'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf } from '../../lib/days.ts'
import { isTwoLineAtom } from '../../lib/screen.ts'
import { isItemOpenAtom } from '../items/open-item.ts'
import { draftedItemsAtom } from '../items/drafts.ts'
import { FIELD_NAMES, FIELDS, type Item } from '../items/fields.ts'
import { rowId } from '../items/jump.ts'
import type { features, LogTableModel } from './columns.tsx'
import { DetailsButton } from './DetailsButton.tsx'
import { DetailsRow } from './DetailsRow.tsx'
import styles from './ItemRow.module.css'
import { UseMilesCell, UseTimeCell } from './UseCells.tsx'

type Props = {
  row: Row<typeof features, Item>
  isEnded: boolean
  FlexRender: LogTableModel['FlexRender']
}

/** Compares items by value, because every reload creates new objects. */
export const ItemRow = memo(
  function ItemRow({ row, isEnded, FlexRender }: Props) {
    const item = row.original
    const element = useRef<HTMLTableRowElement>(null)
    const isOpen = useAtomValue(isItemOpenAtom(item.id))
    const isTwoLine = useAtomValue(isTwoLineAtom)
    const isShort = useIsShort(item)
    // Opening or saving a two-line row replaces the focused cell.
    useLostFocus(isShort, () => element.current?.querySelector<HTMLElement>(`.${styles.button}`))

    const className = isTwoLine ? (isShort ? styles.short : styles.open) : undefined
    return (
      <>
        <tr
          ref={element}
          id={rowId(item.id)}
          {...ROLES.row}
          className={className}
          data-item={item.id}
          data-short={isShort ? '' : undefined}
          data-ended={isEnded ? '' : undefined}
        >
          {isShort ? (
            <ShortCells item={item} />
          ) : (
            row.getAllCells().map((cell) => <FlexRender key={cell.id} cell={cell} />)
          )}
        </tr>
        {isOpen && <DetailsRow item={item} />}
      </>
    )
  },
  (before, after) => before.isEnded === after.isEnded && isSame(before.row.original, after.row.original),
)

function isSame(a: Item, b: Item): boolean {
  return a.id === b.id && a.ended_as === b.ended_as && FIELD_NAMES.every((field) => a[field] === b[field])
}

/** Returns whether an item is in its closed two-line form. Items with unsaved changes stay open. */
function useIsShort({ id, bikeId }: Item): boolean {
  const isShortAtom = useMemo(
    () =>
      atom(
        (get) =>
          get(isTwoLineAtom) && !get(isItemOpenAtom(id)) && !get(draftedItemsAtom(bikeId)).includes(id),
      ),
    [id, bikeId],
  )
  return useAtomValue(isShortAtom)
}

/** Renders a closed two-line item. Its details button covers the cells, except for the miles link. */
function ShortCells({ item }: { item: Item }) {
  const today = useAtomValue(todayAtom)
  const { dateStarted, dateEnded } = item
  return (
    <>
      {FIELD_NAMES.map((field) => {
        const text = FIELDS[field].format(item[field])
        return (
          <td
            key={field}
            {...ROLES.cell}
            className={styles[field]}
            data-type={field === 'type' ? text : undefined}
          >
            {field === 'dateStarted' && dateEnded === null && (
              <span aria-hidden>{dayOf(dateStarted) > today ? 'from ' : 'since '}</span>
            )}
            {field === 'name' ? <DetailsButton item={item} isShort /> : text}
          </td>
        )
      })}
      <UseMilesCell item={item} />
      <UseTimeCell item={item} isPlain />
      <td {...ROLES.cell} />
    </>
  )
}
