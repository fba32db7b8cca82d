import { optional } from '../../lib/field-kinds.ts'
import { numberKind } from '../../lib/forms.ts'
import { HOURS, type Units } from '../../lib/units.ts'

/** Limits in meters and seconds to catch typos. The database has the same limits. */
export const MAX_EARLIER = { distance: 160_900_000, moving_time: 36_000_000 } as const

export const earlierKinds = ({ distance }: Units) => ({
  earlier_distance: optional(numberKind({ max: 100_000, hasZero: true, ...distance })),
  earlier_moving_time: optional(numberKind({ max: 10_000, hasZero: true, ...HOURS })),
})
