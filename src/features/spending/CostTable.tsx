import { Scroller, TableHead } from '../../components/tables.tsx'
import { ratePerUnit, useFormats } from '../../lib/formats.ts'
import styles from './Spending.module.css'

type Row = {
  name: string
  cost: number
  /** What a bike was sold for, or the costs after that. Neither has rates. */
  of?: 'income' | 'rest'
  distance?: number
  cost_per_km?: number | null
  cost_per_hour?: number | null
}
type Props = { groups: { label: string; rows: Row[] }[] }

export function CostTable({ groups }: Props) {
  const formats = useFormats()
  return (
    <Scroller label="What riding costs">
      <table className={`plain-table ${styles.table}`}>
        <TableHead
          headers={['Name', 'Cost', 'Ridden', `Per ${formats.one}`, 'Per hour']}
          classOf={(header) => (header === 'Ridden' ? 'wide-only' : undefined)}
        />
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
                <td>{`${row.of === 'income' ? '+' : ''}${formats.wholeMoney(row.cost)}`}</td>
                <td className="wide-only">
                  {row.distance === undefined ? '' : formats.distance.formatWhole(row.distance)}
                </td>
                <td>{row.of ? '' : formats.rate(ratePerUnit(row.cost_per_km ?? null, formats))}</td>
                <td>{row.of ? '' : formats.money(row.cost_per_hour)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Scroller>
  )
}
