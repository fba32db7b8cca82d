import { formatCount } from '../../lib/formats.ts'
import { columns } from './columns.tsx'
import styles from './RidesTable.module.css'
import type { RideTotals } from './totals.ts'

/** The totals of the shown rides; two columns are for the words. */
const WORDS = 2

export function RidesTableFoot({ count, totals }: { count: number; totals: RideTotals }) {
  return (
    <tfoot>
      <tr aria-rowindex={count + 2}>
        <th scope="row" colSpan={WORDS}>
          {`Total: ${formatCount(count)} ${count === 1 ? 'ride' : 'rides'}`}
        </th>
        {columns.slice(WORDS).map((column) => (
          <td key={column.id} className={styles.number}>
            {column.meta?.total?.(totals)}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}
