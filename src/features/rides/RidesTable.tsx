import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { isTabletAtom } from '../../lib/screen.ts'
import { chosenSortAtom } from './filters.ts'
import styles from './RidesTable.module.css'
import { useRowKeys } from './row-keys.ts'
import { VirtualTable, type VirtualTableProps } from './VirtualTable.tsx'

/** Row heights are fixed, so positions are known before rows render. They are rounded, as browsers do. */
const REM = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
const ROW_HEIGHT = Math.round(3.5 * REM)
const TWO_LINE_HEIGHT = Math.round(4 * REM)
const INITIAL_HEIGHT = 10 * ROW_HEIGHT
const OVERSCAN = 4

type Props = Omit<VirtualTableProps, 'keys' | 'virtual' | 'isTwoLine'>

/** Renders only the visible rows, with spacer rows for the rest. */
export function RidesTable(props: Props) {
  return useAtomValue(isTabletAtom) ? <TwoLineTable {...props} /> : <WideTable {...props} />
}

function WideTable(props: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const keys = useRowKeys(props.rows)
  const sort = useAtomValue(chosenSortAtom)
  const virtual = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: keys.rangeExtractor,
    initialRect: { width: 0, height: INITIAL_HEIGHT },
  })

  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [sort])

  return (
    // Focusable, so the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      className={styles.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Rides table"
      onKeyDown={jump}
    >
      <VirtualTable {...props} keys={keys} virtual={virtual} isTwoLine={false} />
    </div>
  )
}

function TwoLineTable(props: Props) {
  const list = useRef<HTMLDivElement>(null)
  const keys = useRowKeys(props.rows)
  const top = useTop(list)
  const virtual = useWindowVirtualizer({
    count: props.rows.length,
    estimateSize: () => TWO_LINE_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: keys.rangeExtractor,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })

  return (
    <div ref={list} className={styles.twoLine}>
      <VirtualTable {...props} keys={keys} virtual={virtual} isTwoLine />
    </div>
  )
}

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

/** Scrolls without animation on Home and End, because Chromium ignores these keys during another animated scroll. */
function jump(event: KeyboardEvent<HTMLElement>) {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event
  const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey
  if (target !== currentTarget || !isPlain || (key !== 'Home' && key !== 'End')) return
  event.preventDefault()
  currentTarget.scrollTo({ top: key === 'Home' ? 0 : currentTarget.scrollHeight, behavior: 'instant' })
}
