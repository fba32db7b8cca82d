import { PartCost } from '../features/lifetimes'
import type { Item } from '../features/maintenance'
import { PartDetails } from '../features/parts'
import { PartService } from '../features/service'
import { Wear } from '../features/wear'

export { ReplaceLine } from '../features/parts'

/** The content of the region `Details of <name>`. */
export function LogDetails({ item }: { item: Item }) {
  return (
    <PartDetails item={item}>
      <PartService item={item} />
      <Wear item={item} />
      <PartCost item={item} />
    </PartDetails>
  )
}
