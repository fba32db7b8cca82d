import { useAtomValue, useSetAtom } from 'jotai'

import type { Item } from '../items/fields.ts'
import { isItemOpenAtom, openItemAtom } from '../log-view/open-item.ts'
import styles from './DetailsButton.module.css'
import { nameId } from './markup.tsx'
import { detailsId } from './show-details.ts'

type Props = { item: Item; className?: string | undefined }

/** Opens an item's details. With `className`, it shows the item's name instead of an arrow. */
export function DetailsButton({ item, className }: Props) {
  const isOpen = useAtomValue(isItemOpenAtom(item.id))
  const open = useSetAtom(openItemAtom)
  return (
    <>
      <button
        type="button"
        className={className ?? styles.arrow}
        aria-label={`Details of ${item.name}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId(item) : undefined}
        onClick={() => open(isOpen ? null : item.id)}
      >
        {className === undefined ? (
          <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden>
            <path d="M1.5 0 7 4 1.5 8z" fill="currentColor" />
          </svg>
        ) : (
          item.name
        )}
      </button>
      <span id={nameId(item)} hidden>
        {item.name}
      </span>
    </>
  )
}
