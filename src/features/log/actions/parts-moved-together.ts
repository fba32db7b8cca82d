import type { Item } from '../../entries/fields.ts'
import { likeness } from '../../entries/part-names.ts'

export type End = { item: Item; side: 'start' | 'end' }

export const timeOf = ({ item, side }: End): string | null =>
  side === 'start' ? item.dateStarted : item.dateEnded

/**
 * Returns all other starts and ends at the same time. Those of the same replacement or move come first: the
 * part's own other end, parts that moved the same way, and the item that it replaced or that replaced it.
 */
export function otherEnds(of: End, items: readonly Item[]): (End & { belongs: boolean })[] {
  const time = timeOf(of)
  const others = items.flatMap((item) =>
    (['end', 'start'] as const).flatMap((side) => {
      const isSame = item.id === of.item.id && side === of.side
      return !isSame && timeOf({ item, side }) === time ? [{ item, side }] : []
    }),
  )
  const own = others.filter(({ item }) => item.part_id === of.item.part_id)
  const belonging = new Set([...(own.length > 0 ? ownMove(of, own, others) : []), ...likeliest(of, others)])
  return others
    .map((end) => Object.assign({ belongs: belonging.has(end) }, end))
    .toSorted((a, b) => Number(b.belongs) - Number(a.belongs))
}

/** Returns the start and end of every part that moved between the same bikes. */
function ownMove(of: End, own: End[], others: End[]): End[] {
  const bikes = new Map([of, ...own].map(({ item, side }) => [side, item.bikeId]))
  return others.filter(({ item, side }) => {
    const partner = others.some((one) => one.item.part_id === item.part_id && one.side !== side)
    return bikes.get(side) === item.bikeId && (partner || item.part_id === of.item.part_id)
  })
}

/** Returns the item that likely replaced this item, or was replaced by it: same bike, same type, most similar name. */
function likeliest(of: End, others: End[]): End[] {
  const likenessOf = ({ item }: End) => likeness(item.name, of.item.name)
  const [best] = others
    .filter(
      ({ item, side }) => side !== of.side && item.bikeId === of.item.bikeId && item.type === of.item.type,
    )
    .toSorted((a, b) => likenessOf(b) - likenessOf(a))
  return best ? [best] : []
}
