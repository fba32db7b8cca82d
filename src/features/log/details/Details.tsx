import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { lazyScreen } from '../../../components/lazy-screen.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { COLUMN_COUNT, type Item, knownAs } from '../../entries/fields.ts'
import { detailsId, nameId, showDetails } from '../../entries/jump.ts'
import { isItemOpenAtom, openItemAtom } from '../../entries/open-item.ts'
import styles from './Details.module.css'

/** Loaded separately, because most visits don't open details. */
const ItemDetails = lazyScreen(() => import('./ItemDetails.tsx'), <Skeleton width="100%" height="6rem" />)

type ButtonProps = { item: Item; className?: string | undefined }

/** Returns whether an item is open, perhaps since it waited for its ID. */
function useIsOpen(item: Item): boolean {
  const isOpen = useAtomValue(isItemOpenAtom(item.id))
  const wasOpen = useAtomValue(isItemOpenAtom(knownAs(item)))
  return isOpen || wasOpen
}

/** Opens an item's details. With `className`, it shows the item's name instead of an arrow. */
export function DetailsButton({ item, className }: ButtonProps) {
  const isOpen = useIsOpen(item)
  const open = useSetAtom(openItemAtom)
  return (
    <>
      <button
        type="button"
        className={className === undefined ? styles.arrow : `${className} on-paper`}
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

export function Details({ item }: { item: Item }) {
  return (
    <section
      id={detailsId(item)}
      className={styles.region}
      aria-label={`Details of ${item.name}`}
      data-details
    >
      <ItemDetails item={item} />
    </section>
  )
}

/** The table's row below an item while its details are open. */
export function DetailsRow({ item }: { item: Item }) {
  const { id } = item
  const isOpen = useIsOpen(item)
  useEffect(() => {
    if (isOpen) showDetails({ id })
  }, [isOpen, id])
  if (!isOpen) return null
  return (
    <tr className={styles.details}>
      <td colSpan={COLUMN_COUNT}>
        <Details item={item} />
      </td>
    </tr>
  )
}
