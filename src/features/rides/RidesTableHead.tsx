import { FlexRender, type Header } from '@tanstack/react-table'
import { useSetAtom } from 'jotai'
import { type KeyboardEvent, memo } from 'react'

import { ariaSort, SortArrow } from '../../components/SortArrow.tsx'
import { sizingAtom } from './columns.tsx'
import type { RideRow } from './rows.ts'
import type { Sort } from './sort.ts'
import styles from './RidesTable.module.css'
import type { features } from './table-columns.ts'

/** Pixels to resize a column per press of Shift + arrow key. */
const STEP = 16

type Heading = Header<typeof features, RideRow>

/** Memoized, so scrolling doesn't rerender it. */
export const RidesTableHead = memo(function RidesTableHead({ headers, sort }: Props) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {headers.map((header) => (
          <HeaderCell
            key={header.id}
            header={header}
            direction={sort.key === header.id && (sort.desc ? 'desc' : 'asc')}
          />
        ))}
      </tr>
    </thead>
  )
})

type Props = { headers: readonly Heading[]; sort: Sort }

type CellProps = { header: Heading; direction: 'asc' | 'desc' | false }

function HeaderCell({ header, direction }: CellProps) {
  const setSizing = useSetAtom(sizingAtom)
  const { column } = header
  const meta = column.columnDef.meta

  const resize = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (!event.shiftKey || !step) return
    event.preventDefault()
    setSizing((old) => ({ ...old, [column.id]: column.getSize() + step }))
  }

  return (
    <th
      scope="col"
      className={meta?.isNumber ? 'number' : meta?.isPinned ? styles.pinned : ''}
      aria-sort={ariaSort(direction)}
    >
      <button
        type="button"
        className="plain sort"
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onClick={column.getToggleSortingHandler()}
        onKeyDown={resize}
      >
        <span className={meta?.isHeaderHidden ? 'visually-hidden' : styles.label}>
          <FlexRender header={header} />
        </span>
        {meta?.isHeaderHidden && <ImageIcon />}
        <SortArrow direction={direction} />
      </button>
      <span
        role="presentation"
        className={styles.edge}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onDoubleClick={() => column.resetSize()}
      />
    </th>
  )
}

function ImageIcon() {
  return (
    <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden>
      <path d="M.5.5h15v11H.5zM1 10l4-5 4 4 2-2 4 4" fill="none" stroke="currentColor" />
    </svg>
  )
}
