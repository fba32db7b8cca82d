import type { Item } from '../items/fields.ts'
import { rowId } from '../items/jump.ts'

export const detailsId = ({ id }: Pick<Item, 'id'>) => `details-${id}`

/** Scrolls to an item's details, but never past the item's row. */
export function showDetails({ id }: Pick<Item, 'id'>): void {
  for (const shown of [detailsId({ id }), rowId(id)])
    document.getElementById(shown)?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}
