import { useAtomValue, useSetAtom } from 'jotai'
import { type FocusEvent, startTransition, useEffect, useMemo, useRef, useState } from 'react'

import { focusWithoutCalendar, isInCalendar } from '../../components/DateInput.tsx'
import { isTwoLineAtom } from '../../lib/screen.ts'
import { useJump } from './data/jump.ts'
import { heldItemAtom } from './data/open-item.ts'
import { DeleteDialog } from './details/DeleteItem.tsx'
import { DetailsHost } from './details/Details.tsx'
import { cellOf, focusableIn, ignoreComposition, moveFocus } from './table/keyboard.ts'
import { LogCards } from './lines/LogCards.tsx'
import { LogTable } from './table/LogTable.tsx'
import styles from './table/LogTable.module.css'
import type { EntriesProps } from './table/markup.tsx'
import { viewAtom } from './data/shown-items.ts'

/** The minimum height of a row, in pixels. */
const ROW_HEIGHT = 40
/** The share of the window's height that the first rows fill, so later rows appear out of sight. */
const ROWS_SHARE = 0.9

/** Shows the log as a table or, where that doesn't fit, as cards. */
export function Entries(props: Omit<EntriesProps, 'shown' | 'limit'>) {
  const { bikeId, items } = props
  const view = useAtomValue(viewAtom(bikeId))
  const shown = useMemo(() => view(items), [view, items])
  const isTwoLine = useAtomValue(isTwoLineAtom)
  const { onFocus, onBlur } = useFocus(isTwoLine)
  useJump()
  // Long logs render in chunks: first the visible rows, then twice as many each time, without blocking input.
  const [limit, setLimit] = useState(() =>
    Math.max(1, Math.ceil((ROWS_SHARE * window.innerHeight) / ROW_HEIGHT)),
  )
  useEffect(() => {
    if (limit < items.length) startTransition(() => setLimit(limit * 2))
  }, [limit, items.length])

  return (
    <DetailsHost items={items}>
      <div
        role="presentation"
        className={styles.entries}
        data-log
        onKeyDownCapture={ignoreComposition}
        onKeyDown={moveFocus}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        {isTwoLine ? (
          <LogCards {...props} shown={shown} limit={limit} />
        ) : (
          <LogTable {...props} shown={shown} limit={limit} />
        )}
      </div>
      <DeleteDialog items={shown} />
    </DetailsHost>
  )
}

/**
 * Keeps the focused item in the list, even if it no longer matches the filter after an edit, and the focus on its field
 * when the table and the cards replace each other.
 */
function useFocus(isTwoLine: boolean) {
  const hold = useSetAtom(heldItemAtom)
  const focused = useRef<Element | null>(null)
  const wasTwoLine = useRef(isTwoLine)
  useEffect(() => {
    if (wasTwoLine.current === isTwoLine) return
    wasTwoLine.current = isTwoLine
    if (focused.current && document.activeElement === document.body) focusCounterpart(focused.current)
  }, [isTwoLine])

  const onFocus = ({ target }: FocusEvent) => {
    focused.current = target
    const id = target.closest<HTMLElement>('[data-item]')?.dataset['item']
    if (id !== undefined) hold(Number(id))
  }
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent) => {
    // `document.activeElement` doesn't change when the window loses focus.
    if (document.activeElement === target) return
    focused.current = null
    if (!currentTarget.contains(relatedTarget) && !isInCalendar(relatedTarget)) hold(null)
  }
  return { onFocus, onBlur }
}

/** Focuses what shows the same field of the same entry as an element that was removed, at the same place in its text. */
function focusCounterpart(removed: Element): void {
  const id = removed.closest('[data-entry]')?.id
  const entry = id === undefined ? null : document.getElementById(id)
  const cell = cellOf(entry, removed.closest<HTMLElement>('[data-field]')?.dataset['field'])
  const target =
    cell?.querySelector<HTMLElement>(removed.localName) ?? focusableIn(cell) ?? focusableIn(entry)
  if (!target) return
  focusWithoutCalendar(target)
  if (removed instanceof HTMLInputElement && target instanceof HTMLInputElement)
    target.setSelectionRange(removed.selectionStart, removed.selectionEnd)
}
