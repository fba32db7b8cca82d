import { isWork, type Item } from '../items/fields.ts'
import { PartCost } from '../lifetimes/PartCost.tsx'
import { Wear } from '../parts/wear/Wear.tsx'
import { PartService } from '../service/TaskList.tsx'
import { History, Lifetime } from './History.tsx'
import styles from './ItemDetails.module.css'
import { PartActions } from './PartActions.tsx'

/** Renders the content of the region `Details of <name>`. */
export default function ItemDetails({ item }: { item: Item }) {
  return (
    <div className={styles.details}>
      <PartActions item={item} />
      <div className="stack">
        <PartService item={item} />
        {/* Work isn't a part. */}
        {!isWork(item) && <Wear item={item} />}
      </div>
      <div className={styles.side}>
        <Lifetime item={item} />
        <PartCost item={item} />
        <History item={item} />
      </div>
    </div>
  )
}
