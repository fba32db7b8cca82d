import { useAtomValue } from 'jotai'
import { createContext, type FocusEvent, type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

import { isPrintingAtom } from '../../lib/screen.ts'
import type { RideRow } from './rows.ts'

/** Whether a row's link is the table's only tab stop. */
export const RowStopContext = createContext(false)

/** The number of rows to render beyond the visible ones. */
export const OVERSCAN = 4

/** Rows by which pages overlap: the header and totals may cover some, and a few should stay visible. */
const PAGE_OVERLAP = 2

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
 * Makes the ride links a single tab stop with arrow keys. The focused row stays in the document when scrolled out of view,
 * because removing it would lose the focus.
 */
export function useRowKeys(rows: readonly RideRow[]) {
  const [rideId, setRideId] = useState<number | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const last = useMemo(() => rows.findIndex(({ id }) => id === rideId), [rows, rideId])
  const pinned = hasFocus ? last : -1

  const isPrinting = useAtomValue(isPrintingAtom)
  const rangeExtractor = useCallback(
    (range: Range) => {
      if (isPrinting) return rows.map((_, index) => index)
      const shown = defaultRangeExtractor(range)
      return pinned < 0 || shown.includes(pinned) ? shown : [...shown, pinned].toSorted((a, b) => a - b)
    },
    [pinned, isPrinting, rows],
  )
  /** Returns the tab stop: the last focused row, or the first visible row. */
  const stopIn = (range: { startIndex: number; endIndex: number } | null) => {
    const isVisible = range !== null && range.startIndex <= last && last <= range.endIndex
    return last >= 0 && (hasFocus || isVisible) ? last : (range?.startIndex ?? 0)
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
    // Render the row, which may not be in the document yet.
    flushSync(() => setRideId(rows[to]?.id ?? null))
    const link = body.querySelector<HTMLElement>(`[data-row="${to}"] a`)
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  }
  const findStop = () => document.querySelector<HTMLElement>(`[data-row="${last}"] a`)
  return { rangeExtractor, stopIn, findStop, listeners: { onFocus, onBlur, onKeyDown } }
}

function rowOf(element: HTMLElement): number {
  return Number(element.closest<HTMLElement>('[data-row]')?.dataset['row'])
}

function pageOf(body: HTMLElement): number {
  const scroller = body.closest<HTMLElement>('[role=region]')
  const row = body.querySelector<HTMLElement>('[data-row]')
  if (!row) return 1
  // Cards scroll with the page.
  const height = scroller?.clientHeight ?? window.innerHeight
  return Math.max(1, Math.floor(height / row.offsetHeight) - PAGE_OVERLAP)
}
