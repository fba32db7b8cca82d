type Direction = 'asc' | 'desc' | false

export function ariaSort(direction: Direction) {
  return direction ? ({ asc: 'ascending', desc: 'descending' } as const)[direction] : undefined
}

/** Shows a header's sort direction. Blank while unsorted, so headers keep their width. */
export function SortArrow({ direction }: { direction: Direction }) {
  return (
    <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden>
      {direction && <path d={direction === 'asc' ? 'M1 7 5 2l4 5z' : 'M1 3l4 5 4-5z'} fill="currentColor" />}
    </svg>
  )
}
