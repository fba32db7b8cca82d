import type { Ride } from './api.ts'
import { fold } from './search.ts'

/**
 * A ride as the table shows it: with its bike's name, its places in the natural order of all names and of all bikes, and
 * its name as the search reads it.
 */
export type RideRow = Ride & {
  gearName: string | null
  nameRank: number | null
  gearRank: number | null
  foldedName: string
}

// "Ride 2" comes before "Ride 10". One collator for all: comparing through localeCompare takes twenty times as long.
const collator = new Intl.Collator('en-US', { numeric: true })

/** The rows of some rides, newest first; that order remains among rides that a sort does not tell apart. */
export function toRows(rides: readonly Ride[], gearNames: ReadonlyMap<number, string>): RideRow[] {
  const names = ranks(rides.map((ride) => ride.name))
  const gears = ranks([...gearNames.values()])
  const folded = new Map([...names.keys()].map((name) => [name, fold(name)]))

  const toRow = (ride: Ride): RideRow => {
    const gearName = gearNames.get(ride.gear_id ?? Number.NaN) ?? null
    return {
      ...ride,
      gearName,
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
