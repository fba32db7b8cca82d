import { useAtomValue, useSetAtom } from 'jotai'
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { lazyScreen } from '../../../components/lazy-screen.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import type { Item } from '../data/fields.ts'
import { detailsId, showDetails } from '../data/jump.ts'
import { isItemOpenAtom, openItemAtom, openItemIdAtom } from '../data/open-item.ts'
import styles from './Details.module.css'
import { nameId, WideRow } from '../table/markup.tsx'
import { ReplaceLine } from '../table/ReplaceLine.tsx'

/** Loaded separately, because most visits don't open details. */
const ItemDetails = lazyScreen(() => import('./ItemDetails.tsx'), <Skeleton width="100%" height="6rem" />)

type ButtonProps = { item: Item; className?: string | undefined }

/** Opens an item's details. With `className`, it shows the item's name instead of an arrow. */
export function DetailsButton({ item, className }: ButtonProps) {
  const isOpen = useAtomValue(isItemOpenAtom(item.id))
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

type Host = { element: HTMLElement; focused: HTMLElement | null }

const HostContext = createContext<Host | null>(null)

/**
 * Renders the open item's details into an element of their own. It moves between the table and the cards, so a resize
 * closes no dialog and loses nothing that was typed.
 */
export function DetailsHost({ items, children }: { items: readonly Item[]; children: ReactNode }) {
  const [host] = useState<Host>(() => ({ element: document.createElement('div'), focused: null }))
  const openId = useAtomValue(openItemIdAtom)
  const item = items.find(({ id }) => id === openId)
  return (
    <HostContext value={host}>
      {children}
      {item &&
        createPortal(
          <section
            key={item.id}
            id={detailsId(item)}
            className={styles.region}
            aria-label={`Details of ${item.name}`}
            data-details
          >
            <ItemDetails item={item} />
          </section>,
          host.element,
        )}
    </HostContext>
  )
}

/** Shows what belongs to an item while its details are open: its replace line and the details. */
export function OpenDetails({ item }: { item: Item }) {
  const isOpen = useAtomValue(isItemOpenAtom(item.id))
  if (!isOpen) return null
  return (
    <>
      <ReplaceLine item={item} />
      <WideRow className={styles.details}>
        <DetailsSlot item={item} />
      </WideRow>
    </>
  )
}

/** The place of the open item's details. */
function DetailsSlot({ item: { id } }: { item: Item }) {
  const host = use(HostContext)
  const slot = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!host) return undefined
    const { element } = host
    slot.current?.append(element)
    // Moving a modal dialog makes it invisible.
    for (const dialog of element.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
      dialog.close()
      dialog.showModal()
    }
    if (host.focused?.isConnected) host.focused.focus()
    return () => {
      const { activeElement } = document
      const isInside = activeElement instanceof HTMLElement && element.contains(activeElement)
      host.focused = isInside ? activeElement : null
    }
  }, [host])
  useEffect(() => showDetails({ id }), [id])
  return <div ref={slot} />
}
