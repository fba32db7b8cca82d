import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { atom, useAtomValue } from 'jotai'
import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import { useFormats } from '../../lib/formats.ts'
import { pixelsOf } from '../../lib/screen.ts'
import { cardColumns, columnsAtom } from './columns.tsx'
import { formatRideDay, RideLink, Thumbnail } from './cells.tsx'
import { chosenGearAtom, chosenSortAtom } from './filters.ts'
import styles from './RideCards.module.css'
import { OVERSCAN, RowStopContext, type useRowKeys } from './row-keys.ts'
import type { RideRow } from './rows.ts'

/** Fixed, so positions are known before cards render. */
const CARD_HEIGHT = pixelsOf(4)

const shownAtom = atom((get) => {
  const columns = cardColumns(get(chosenSortAtom).key).flatMap((id) =>
    get(columnsAtom).filter((column) => column.id === id),
  )
  return columns.map(({ id, header, meta }) => ({ id, header, show: meta.show }))
})

type Props = { rows: RideRow[]; isUpdating: boolean; keys: ReturnType<typeof useRowKeys> }

/** Lists rides where the table doesn't fit. Scrolls with the page and renders only the visible cards. */
export function RideCards({ rows, isUpdating, keys }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const top = useTop(list)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: keys.rangeExtractor,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  const items = virtual.getVirtualItems()
  const stop = keys.stopIn(virtual.range)
  const columns = useAtomValue(shownAtom)

  return (
    <ul
      ref={list}
      className={styles.cards}
      style={{ height: virtual.getTotalSize() }}
      aria-label={`Rides, ${useAtomValue(chosenGearAtom).label}`}
      aria-busy={isUpdating}
      {...keys.listeners}
    >
      {items.map(({ index, start }, position) => {
        const ride = rows[index]
        return (
          ride && (
            <li
              key={ride.id}
              className={styles.card}
              style={{ marginBlockStart: start - (items[position - 1]?.end ?? top) }}
              data-row={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
            >
              <RowStopContext value={index === stop}>
                <Card ride={ride} columns={columns} />
              </RowStopContext>
            </li>
          )
        )
      })}
    </ul>
  )
}

type CardProps = { ride: RideRow; columns: ReturnType<typeof shownAtom.read> }

/** Memoized, because the tab stop moves to other cards while scrolling. */
const Card = memo(function Card({ ride, columns }: CardProps) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  const formats = useFormats()
  return (
    <>
      <span className={styles.image}>
        <Thumbnail ride={ride} rwgpsUrl={rwgpsUrl} isSmall />
      </span>
      <RideLink ride={ride} rwgpsUrl={rwgpsUrl} className={styles.name} />
      <span className={styles.date}>{formatRideDay(ride, formats)}</span>
      {columns.map(({ id, header, show }) => (
        <span key={id} className={id === 'distance' ? styles.distance : styles.measure}>
          <span className="visually-hidden">{`${header} `}</span>
          {show(ride)}
        </span>
      ))}
    </>
  )
})

/** Returns an element's distance from the top of the page. Updates when the content above changes. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}
