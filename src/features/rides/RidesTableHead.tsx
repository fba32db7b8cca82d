import type { Header } from '@tanstack/react-table'
import type { KeyboardEvent } from 'react'

import { SortArrow } from '../../components/SortArrow.tsx'
import type { RideRow } from './rows.ts'
import type { features, RidesTable } from './table.ts'
import styles from './RidesTable.module.css'

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** By how many pixels Shift with an arrow key moves a column's edge. */
const STEP = 16

export function RidesTableHead({ table }: { table: RidesTable }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <thead>
      <tr aria-rowindex={1}>
        {headers.map((header) => (
          <HeaderCell key={header.id} table={table} header={header} />
        ))}
      </tr>
    </thead>
  )
}

type Props = { table: RidesTable; header: Header<typeof features, RideRow> }

function HeaderCell({ table, header }: Props) {
  const { column } = header
  const meta = column.columnDef.meta
  const sorted = column.getIsSorted()

  const resize = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!event.shiftKey || !direction) return
    event.preventDefault()
    table.setColumnSizing((old) => ({ ...old, [column.id]: column.getSize() + direction * STEP }))
  }

  return (
    <th
      scope="col"
      className={meta?.isNumber ? styles.number : meta?.isPinned ? styles.pinned : ''}
      aria-sort={sorted ? ARIA_SORT[sorted] : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onClick={column.getToggleSortingHandler()}
        onKeyDown={resize}
      >
        <span className={meta?.isHeaderHidden ? 'visually-hidden' : styles.label}>
          <table.FlexRender header={header} />
        </span>
        {meta?.isHeaderHidden && <PictureMark />}
        <SortArrow direction={sorted} />
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

function PictureMark() {
  return (
    <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden>
      <path d="M.5.5h15v11H.5zM1 10l4-5 4 4 2-2 4 4" fill="none" stroke="currentColor" />
    </svg>
  )
}
