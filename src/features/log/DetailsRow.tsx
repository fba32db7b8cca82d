import { useAtomValue, useSetAtom } from 'jotai'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'

import { ROLES } from '../../components/table-roles.ts'
import { isPhoneAtom } from '../../lib/screen.ts'
import { FIELD_NAMES, type Item } from '../items/fields.ts'
import { isItemOpenAtom, openItemAtom } from '../items/open-item.ts'
import styles from './ItemRow.module.css'

/** What other features show for an item. The app composes them, so the log depends on none of them. */
export type LogSlots = {
  /** The content of the row that `Details of <name>` opens. Mounted only while the row is open. */
  renderDetails?: (item: Item) => ReactNode
  /** A row of the log between an open item and its details. */
  renderLine?: (item: Item) => ReactNode
  /** Shows the entries instead of the table. */
  renderTimeline?: (gearId: number, items: readonly Item[]) => ReactNode
  /** A UseNote, or null. */
  renderUseNote?: (item: Item) => ReactNode
}

export const LogSlotsContext = createContext<LogSlots>({})

const regionId = ({ id }: Item) => `details-${id}`

export const DETAILS_BUTTON = styles.button

/**
 * The button in the Name cell that opens the row below the item and, on a phone, its editors. `isShort`: it shows the
 * name, and covers the cells of the item.
 */
export function DetailsButton({ item, isShort = false }: { item: Item; isShort?: boolean }) {
  const { renderDetails } = useContext(LogSlotsContext)
  const isOpen = useAtomValue(isItemOpenAtom(item.id))
  const isPhone = useAtomValue(isPhoneAtom)
  const open = useSetAtom(openItemAtom)
  if (!renderDetails && !isPhone) return null
  return (
    <button
      type="button"
      className={isShort ? `${styles.button} ${styles.cover}` : styles.button}
      aria-label={`Details of ${item.name}`}
      aria-expanded={isOpen}
      aria-controls={isOpen && renderDetails ? regionId(item) : undefined}
      onClick={() => open(isOpen ? null : item.id)}
    >
      {isShort ? (
        item.name
      ) : (
        <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden>
          <path d="M1.5 0 7 4 1.5 8z" fill="currentColor" />
        </svg>
      )}
    </button>
  )
}

/** The number of columns of the log: the fields, Use Miles, Use Time and Delete. */
const COLUMN_COUNT = FIELD_NAMES.length + 3

/** The row below an open item. */
export function DetailsRow({ item }: { item: Item }) {
  const { renderDetails, renderLine } = useContext(LogSlotsContext)
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    row.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  if (!renderDetails) return null
  return (
    <>
      {renderLine?.(item)}
      <tr {...ROLES.row} ref={row} className={styles.row} data-details>
        <td {...ROLES.cell} colSpan={COLUMN_COUNT}>
          <section id={regionId(item)} className={styles.region} aria-label={`Details of ${item.name}`}>
            {renderDetails(item)}
          </section>
        </td>
      </tr>
    </>
  )
}
