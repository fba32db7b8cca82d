import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { formatCurrency } from '../../lib/formats.ts'
import styles from './Spending.module.css'

type Row = {
  name: string
  cost: number
  distance?: number
  cost_per_km: number | null
  cost_per_hour: number | null
}
type Props = { groups: { label: string; rows: Row[] }[] }

/** Costs with their rates, in groups. */
export function CostTable({ groups }: Props) {
  const { distance } = useAtomValue(unitsAtom)
  const perThousand = (perKm: number | null) => (perKm === null ? null : perKm * distance.toStored(1))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be focusable
    <div className="scroller" role="region" aria-label="What riding costs" tabIndex={0}>
      <table className={`plain-table ${styles.table}`}>
        <thead>
          <tr>
            {['Name', 'Cost', 'Ridden', `Per 1,000 ${distance.unit}`, 'Per hour'].map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ label, rows }) => (
          <tbody key={label}>
            <tr>
              <th scope="rowgroup" colSpan={5} className={styles.group}>
                {label}
              </th>
            </tr>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{formatCurrency(row.cost)}</td>
                <td>{row.distance === undefined ? '' : distance.format(row.distance)}</td>
                <td>{formatCurrency(perThousand(row.cost_per_km))}</td>
                <td>{formatCurrency(row.cost_per_hour)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}
