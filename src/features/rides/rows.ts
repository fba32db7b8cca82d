import { fold } from '../../lib/search.ts'
import { collator } from '../../lib/sort.ts'
import type { Ride } from './api.ts'

/** A ride with its bike's name, its sort ranks (null if the value is missing) and its folded name for search. */
export type RideRow = Ride & {
  gearName: string | null
  dateRank: number | null
  nameRank: number | null
  gearRank: number | null
  foldedName: string
}

/** Converts rides to rows, newest first. Stable sorting keeps that order among equal rides. */
export function toRows(rides: readonly Ride[], gearNames: ReadonlyMap<number, string>): RideRow[] {
  const names = ranks(rides.map((ride) => ride.name))
  const gears = ranks([...gearNames.values()])
  const folded = new Map([...names.keys()].map((name) => [name, fold(name)]))

  const toRow = (ride: Ride, index: number): RideRow => {
    const gearName = gearNames.get(ride.gear_id ?? Number.NaN) ?? null
    return {
      ...ride,
      gearName,
      dateRank: ride.started_at === null ? null : -index,
      nameRank: names.get(ride.name ?? '') ?? null,
      gearRank: gears.get(gearName ?? '') ?? null,
      foldedName: folded.get(ride.name ?? '') ?? '',
    }
  }
  return rides.toSorted(newestFirst).map(toRow)
}

function ranks(texts: readonly (string | null)[]): ReadonlyMap<string, number> {
  const distinct = [...new Set(texts)].filter((text): text is string => Boolean(text?.trim()))
  return new Map(distinct.toSorted(collator.compare).map((text, rank) => [text, rank]))
}

function newestFirst(a: Ride, b: Ride): number {
  const [first, second] = [a.started_at ?? '', b.started_at ?? '']
  if (first !== second) return first < second ? 1 : -1
  return b.id - a.id
}
