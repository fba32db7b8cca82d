import { atom, useAtomValue, useSetAtom } from 'jotai'

import { columnsAtom } from './columns.tsx'
import { chosenSortAtom, sortRidesAtom } from './filter-atoms.ts'
import styles from './RidesList.module.css'
import { readSort, type SortParameter, writeSort } from './sort.ts'

const ORDERS: Partial<Record<SortParameter, string>> = {
  '-name': 'Name, Z to A',
  name: 'Name, A to Z',
  '-date': 'Newest first',
  date: 'Oldest first',
  '-distance': 'Longest first',
}

/** The chosen order: `Max HR, descending`. */
export const sortNameAtom = atom((get) => {
  const { key, desc } = get(chosenSortAtom)
  const header = get(columnsAtom).find((column) => column.id === key)?.header
  return `${String(header)}, ${desc ? 'descending' : 'ascending'}`
})

/** Sorts the rides without a column header. Lists any other order only while it is chosen. */
export function SortField() {
  const chosen = writeSort(useAtomValue(chosenSortAtom))
  const name = useAtomValue(sortNameAtom)
  const sort = useSetAtom(sortRidesAtom)
  const orders = { ...ORDERS, [chosen]: ORDERS[chosen] ?? name }

  return (
    <label className={styles.sort}>
      <span>Sort</span>
      <select value={chosen} onChange={(event) => sort(readSort(event.target.value))}>
        {Object.entries(orders).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
