import { PartCost, WhatIf } from '../features/lifetimes'
import type { Item } from '../features/maintenance'
import { PartDetails } from '../features/parts'
import { PartService } from '../features/service'
import { Wear } from '../features/wear'

export { ReplaceLine } from '../features/parts'

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
