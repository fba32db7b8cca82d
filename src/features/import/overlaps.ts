import { dayOf } from '../../lib/days.ts'
import type { Formats } from '../../lib/formats.ts'
import type { NamedBike } from '../bikes/api.ts'
import { type CsvValues } from '../items/csv.ts'
import { compareTimes, isWork, type Item } from '../items/fields.ts'

type Period = Pick<CsvValues, 'dateStarted' | 'dateEnded'> & { partId: number; bikeId: number }

/** A part's period on a bike. `line` is the file line that adds or changes it, or null. */
type Planned = Period & { line: number | null }

type ChangedLine = { line: number; item: Item; after: Item }
type AddedLine = {
  line: number
  bike: NamedBike
  values: CsvValues
  partId: number | null
  partOf: Item | null
}

/** Finds the lines that would put a part in two places at the same time. Returns their messages by line number. */
export function findOverlaps(
  items: readonly Item[],
  changed: readonly ChangedLine[],
  added: readonly AddedLine[],
  bikes: readonly NamedBike[],
  formats: Formats,
): Map<number, string> {
  const refused = new Map<number, string>()
  let before
  do {
    before = refused.size
    // A refused change leaves the stored period unchanged, which may conflict with other lines.
    const periods = plan(
      items,
      changed.filter(({ line }) => !refused.has(line)),
      added.filter(({ line }) => !refused.has(line)),
    )
    let last: Planned | null = null
    for (const period of periods.toSorted(
      (a, b) => a.partId - b.partId || compareTimes(a.dateStarted, b.dateStarted),
    )) {
      if (last?.partId !== period.partId || !overlap(last, period)) {
        last = period
        continue
      }
      // At least one of the overlapping periods is in the file, because the log itself has no overlaps.
      const [wrong, other]: [Planned, Planned] = period.line === null ? [last, period] : [period, last]
      if (wrong.line !== null) refused.set(wrong.line, messageFor(other, bikes, formats))
      last = other
    }
  } while (refused.size > before)
  return refused
}

function plan(
  items: readonly Item[],
  changed: readonly ChangedLine[],
  added: readonly AddedLine[],
): Planned[] {
  const changes = new Map(changed.map(({ item, after, line }) => [item.id, { ...after, line }]))
  const stored = items.map((item) => {
    const { bikeId, part_id, dateStarted, dateEnded, line } = changes.get(item.id) ?? { ...item, line: null }
    return { line, partId: part_id, bikeId, dateStarted, dateEnded }
  })
  const fromFile = added.flatMap(({ line, bike, partId, partOf, values: { dateStarted, dateEnded } }) => {
    if (partId === null) return []
    // Negative numbers identify new parts, because parts in the log have positive numbers.
    return [{ line, partId: partOf?.part_id ?? -1 - partId, bikeId: bike.gear_id, dateStarted, dateEnded }]
  })
  // Work ends when it starts, so it can't overlap.
  return [...stored, ...fromFile].filter((period) => !isWork(period))
}

function messageFor(
  { bikeId, dateStarted, dateEnded }: Period,
  bikes: readonly NamedBike[],
  formats: Formats,
): string {
  const bike = bikes.find(({ gear_id }) => gear_id === bikeId)?.name ?? 'another bike'
  const since = formats.day(dayOf(dateStarted))
  return dateEnded === null
    ? `Part: It has been on ${bike} since ${since}.`
    : `Part: It is on ${bike} from ${since} to ${formats.day(dayOf(dateEnded))}.`
}

function overlap({ dateEnded }: Period, { dateStarted }: Period): boolean {
  return dateEnded === null || compareTimes(dateStarted, dateEnded) < 0
}
