import { useAtomValue, useSetAtom } from 'jotai'

import type { Item } from '../items/fields.ts'
import { isItemOpenAtom, openItemAtom } from '../items/open-item.ts'
import styles from './ItemRow.module.css'
import { detailsId } from './show-details.ts'

/** Opens an item's details and, in a two-line row, its editors. With `isShort`, it shows the name and covers the row's cells. */
export function DetailsButton({ item, isShort = false }: { item: Item; isShort?: boolean }) {
  const isOpen = useAtomValue(isItemOpenAtom(item.id))
  const open = useSetAtom(openItemAtom)
  return (
    <button
      type="button"
      className={isShort ? `${styles.button} ${styles.cover}` : styles.button}
      aria-label={`Details of ${item.name}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId(item) : undefined}
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
