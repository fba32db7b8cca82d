import { useAtomValue, useSetAtom } from 'jotai'
import { type FocusEvent, startTransition, useEffect, useRef, useState } from 'react'

import { openDialogsAtom } from '../../components/above-dialogs.tsx'
import { isInCalendar } from '../../components/DateInput.tsx'
import { useLostFocus } from '../../components/lost-focus.ts'
import { isTwoLineAtom } from '../../lib/screen.ts'
import { draftedFieldsAtom, replaceDraft } from '../entries/drafts.ts'
import { knownAs } from '../entries/fields.ts'
import { entryId, useJump } from '../entries/jump.ts'
import { heldItemAtom, openFormAtom, openItemIdAtom } from '../entries/open-item.ts'
import { DeleteDialog } from './actions/DeleteItem.tsx'
import { EntryDialog } from './lines/EntryDialog.tsx'
import { NewEntryDialog, ReplaceDialog } from './lines/EntryFormDialog.tsx'
import { LogLines } from './lines/LogLines.tsx'
import { ignoreComposition, moveFocus } from './table/keyboard.ts'
import { LogTable } from './table/LogTable.tsx'
import styles from './table/LogTable.module.css'
import type { ViewProps } from '../entries/shown-items.ts'

/** The minimum heights of a row and of a line, in pixels. */
const [ROW_HEIGHT, LINE_HEIGHT] = [40, 56]
/** The share of the window's height that the first entries fill, so later ones appear out of sight. */
const ROWS_SHARE = 0.9

/** Shows the log as a table or, where that doesn't fit, as lines that open as dialogs. */
export function Entries(props: ViewProps) {
  const { gearId, items, shown } = props
  const areLines = useAreLines()
  const { onFocus, onBlur } = useFocus(areLines)
  useJump()
  // Long logs render in chunks: first the visible rows, then twice as many each time, without blocking input.
  const [limit, setLimit] = useState(() =>
    Math.max(1, Math.ceil((ROWS_SHARE * window.innerHeight) / (areLines ? LINE_HEIGHT : ROW_HEIGHT))),
  )
  useEffect(() => {
    if (limit < items.length) startTransition(() => setLimit(limit * 2))
  }, [limit, items.length])

  return (
    <>
      <div
        role="presentation"
        className={styles.entries}
        data-log
        onKeyDownCapture={ignoreComposition}
        onKeyDown={moveFocus}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        {areLines ? <LogLines {...props} limit={limit} /> : <LogTable {...props} limit={limit} />}
        <EntryDialogs gearId={gearId} items={items} areLines={areLines} />
      </div>
      <DeleteDialog items={shown} />
    </>
  )
}

type DialogsProps = Pick<ViewProps, 'gearId' | 'items'> & { areLines: boolean }

function EntryDialogs({ gearId, items, areLines }: DialogsProps) {
  const openId = useAtomValue(openItemIdAtom)
  const form = useAtomValue(openFormAtom)
  const item = items.find((item) => openId === item.id || openId === knownAs(item))
  const drafted = useAtomValue(draftedFieldsAtom(gearId))
  // An attempt whose response was lost may have ended the item. Its form stays until the rider knows.
  const isReplacing = item && (item.dateEnded === null || drafted.has(replaceDraft(item)))
  return (
    <>
      {areLines && item && <EntryDialog key={knownAs(item)} item={item} />}
      {areLines && form === 'new' && <NewEntryDialog bikeId={gearId} />}
      {form === 'replace' && isReplacing && <ReplaceDialog key={replaceDraft(item)} item={item} />}
    </>
  )
}

/**
 * Returns whether to show lines. Doesn't change while a dialog is open, which would lose its text and the focus. An entry's
 * own dialog may go, because the table has the same drafts and details.
 */
function useAreLines(): boolean {
  const isTwoLine = useAtomValue(isTwoLineAtom)
  const [areLines, setLines] = useState(isTwoLine)
  const isEntryOpen = useAtomValue(openItemIdAtom) !== null && areLines
  const isCovered = useAtomValue(openDialogsAtom).length > (isEntryOpen ? 1 : 0)
  if (!isCovered && areLines !== isTwoLine) setLines(isTwoLine)
  return areLines
}

/** Keeps the focused item in the list, even if it no longer matches the filter after an edit or the window is resized. */
function useFocus(areLines: boolean) {
  const hold = useSetAtom(heldItemAtom)
  const focused = useRef<number | null>(null)
  useLostFocus(
    areLines,
    () =>
      focused.current !== null && document.getElementById(entryId(focused.current))?.querySelector('button'),
  )

  const onFocus = ({ target }: FocusEvent) => {
    const id = target.closest<HTMLElement>('[data-item]')?.dataset['item']
    focused.current = id === undefined ? null : Number(id)
    if (focused.current !== null) hold(focused.current)
  }
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent) => {
    // `document.activeElement` doesn't change when the window loses focus.
    if (document.activeElement === target) return
    focused.current = null
    if (!currentTarget.contains(relatedTarget) && !isInCalendar(relatedTarget)) hold(null)
  }
  return { onFocus, onBlur }
}
