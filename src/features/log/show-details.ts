import type { Item } from '../items/fields.ts'
import { entryId } from '../log-view/jump.ts'

export const detailsId = ({ id }: Pick<Item, 'id'>) => `details-${id}`

/** Scrolls to an item's details, but never past the item itself. */
export function showDetails({ id }: Pick<Item, 'id'>): void {
  for (const shown of [detailsId({ id }), entryId(id)]) {
    const element = document.getElementById(shown)
    // A sticky header covers less of a row, which has its own scroll margin.
    const box = element?.closest('tr') ?? element
    box?.scrollIntoView({ block: 'nearest' })
  }
}
