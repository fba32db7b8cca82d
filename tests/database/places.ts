import fc from 'fast-check'

export interface Period {
  part_id: number
  bikeId: number
  dateStarted: string
  dateEnded: string | null
}

// Only a few days, so periods often touch, overlap, or end when they start.
const day = fc.integer({ min: 1, max: 6 }).map((date) => `2024-03-0${date}T01:00:00`)

export const onePeriod: fc.Arbitrary<Period> = fc
  .record({
    part_id: fc.integer({ min: 1, max: 3 }),
    bikeId: fc.constantFrom(7, 8),
    one: day,
    other: fc.option(day),
  })
  .map(({ part_id, bikeId, one, other }) => {
    if (other === null || one <= other) return { part_id, bikeId, dateStarted: one, dateEnded: other }
    return { part_id, bikeId, dateStarted: other, dateEnded: one }
  })

/** Returns whether a part is in two places at once: both periods contain the start of one of them. */
export function isSomePartInTwoPlaces(periods: readonly Period[]): boolean {
  return periods.some((one, index) =>
    periods
      .slice(index + 1)
      .some(
        (other) =>
          one.part_id === other.part_id &&
          [one, other].some(({ dateStarted }) => contains(one, dateStarted) && contains(other, dateStarted)),
      ),
  )
}

const contains = ({ dateStarted, dateEnded }: Period, moment: string) =>
  dateStarted <= moment && (dateEnded === null || moment < dateEnded)
