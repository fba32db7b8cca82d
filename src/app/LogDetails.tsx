import type { Item } from '../features/maintenance'
import { PartDetails } from '../features/parts'

export { ReplaceLine } from '../features/parts'

/** The content of the region `Details of <name>`. */
export function LogDetails({ item }: { item: Item }) {
  return <PartDetails item={item} />
}
