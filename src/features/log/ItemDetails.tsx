import type { Item } from '../items/fields.ts'
import { PartCost } from '../lifetimes/PartCost.tsx'
import { WhatIf } from '../lifetimes/WhatIf.tsx'
import { Wear } from '../parts/wear/Wear.tsx'
import { PartService } from '../service/TaskList.tsx'
import { History, Lifetime } from './History.tsx'
import styles from './ItemDetails.module.css'
import { PartActions } from './PartActions.tsx'

/** The content of the region `Details of <name>`: an item's part, with its tasks, history, wear, lifetime and actions. */
export default function ItemDetails({ item }: { item: Item }) {
  // Work isn't a part: it has no wear and no lifetime.
  const isPart = item.dateStarted !== item.dateEnded
  return (
    <div className={styles.details}>
      <div>
        <PartService item={item} />
      </div>
      <div>
        <History item={item} />
      </div>
      <div className={styles.more}>
        {isPart && (
          <>
            <Wear item={item} />
            <WhatIf item={item} />
          </>
        )}
      </div>
      <div className={styles.side}>
        <Lifetime item={item} />
        <PartCost item={item} />
        <PartActions item={item} />
      </div>
    </div>
  )
}
