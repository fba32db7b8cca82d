import { useEffect } from 'react'

import { lazyScreen } from '../../components/lazy-screen.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { ROLES } from '../../components/table-roles.ts'
import { COLUMN_COUNT, type Item } from '../items/fields.ts'
import { detailsId, showDetails } from './show-details.ts'
import styles from './ItemRow.module.css'
import { ReplaceLine } from './ReplaceLine.tsx'

/** Loaded separately, because most visits don't open details. */
const ItemDetails = lazyScreen(() => import('./ItemDetails.tsx'), <Skeleton width="100%" height="6rem" />)

export function DetailsRow({ item }: { item: Item }) {
  const { id } = item
  useEffect(() => showDetails({ id }), [id])

  return (
    <>
      <ReplaceLine item={item} />
      <tr {...ROLES.row} className={styles.row} data-details>
        <td {...ROLES.cell} colSpan={COLUMN_COUNT}>
          <section id={detailsId(item)} className={styles.region} aria-label={`Details of ${item.name}`}>
            <ItemDetails item={item} />
          </section>
        </td>
      </tr>
    </>
  )
}
