import { PartCost } from '../features/lifetimes/PartCost.tsx'
import { WhatIf } from '../features/lifetimes/WhatIf.tsx'
import type { Item } from '../features/items/fields.ts'
import { PartDetails } from '../features/log/ItemDetails.tsx'
import { PartService } from '../features/service/lazy.tsx'
import { Wear } from '../features/parts/wear/Wear.tsx'

export { ReplaceLine } from '../features/log/ReplaceLine.tsx'

/** The content of the region `Details of <name>`. */
export function LogDetails({ item }: { item: Item }) {
  // Work isn't a part: it has no wear and no lifetime.
  const isPart = item.dateStarted !== item.dateEnded
  return (
    <PartDetails
      item={item}
      first={<PartService item={item} />}
      more={
        isPart && (
          <>
            <Wear item={item} />
            <WhatIf item={item} />
          </>
        )
      }
      cost={<PartCost item={item} />}
    />
  )
}
