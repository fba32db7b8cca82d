import { createContext, type FocusEvent, type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

import type { RideRow } from './rows.ts'

/** Whether a row's link is the table's one tab stop. */
export const RowStopContext = createContext(false)

/** The number of the table's first ride row; the header row is 1. */
export const FIRST_ROW = 2

/** Rows that Page Up and Page Down leave in sight, besides the header and the totals. */
const PAGE_OVERLAP = 2

/** The row that a key leads to; undefined for a key that leads nowhere. */
export function rowAfter(key: string, row: number, count: number, page: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - page,
    PageDown: row + page,
    Home: 0,
    End: count - 1,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target))
}

/**
 * Makes the rides' links one tab stop with arrow keys. The row that has the focus stays in the document while it is
 * scrolled out of sight, because the focus would leave the page with it.
 */
export function useRowKeys(rows: readonly RideRow[]) {
  const [rideId, setRideId] = useState<number | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const last = useMemo(() => rows.findIndex(({ id }) => id === rideId), [rows, rideId])
  const kept = hasFocus ? last : -1

  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return kept < 0 || shown.includes(kept) ? shown : [...shown, kept].toSorted((a, b) => a - b)
    },
    [kept],
  )
  /** The row that is the tab stop: the last one that had the focus, or the first in sight. */
  const stopIn = (range: { startIndex: number; endIndex: number } | null) => {
    const isInSight = range !== null && range.startIndex <= last && last <= range.endIndex
    return last >= 0 && (hasFocus || isInSight) ? last : (range?.startIndex ?? 0)
  }
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    setRideId(rows[rowOf(target)]?.id ?? null)
    setHasFocus(true)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
    setHasFocus(currentTarget.contains(relatedTarget))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { altKey, ctrlKey, metaKey, shiftKey, key, currentTarget: body, target } = event
    if (altKey || ctrlKey || metaKey || shiftKey) return
    const row = rowOf(target as HTMLElement)
    const to = rowAfter(key, row, rows.length, pageOf(body))
    if (to === undefined) return
    event.preventDefault()
    // The row may not be in the document yet.
    flushSync(() => setRideId(rows[to]?.id ?? null))
    const link = body.querySelector<HTMLElement>(`[aria-rowindex="${to + FIRST_ROW}"] a`)
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  }
  return { rangeExtractor, stopIn, listeners: { onFocus, onBlur, onKeyDown } }
}

function rowOf(element: HTMLElement): number {
  return Number(element.closest('tr')?.ariaRowIndex) - FIRST_ROW
}

/** How many rows Page Up and Page Down go: as many as are in sight, less the overlap. */
function pageOf(body: HTMLElement): number {
  const scroller = body.closest<HTMLElement>('[role=region]')
  const row = body.querySelector<HTMLElement>('[aria-rowindex]')
  if (!scroller || !row) return 1
  return Math.max(1, Math.floor(scroller.clientHeight / row.offsetHeight) - PAGE_OVERLAP)
}
