import { numberKind, optional } from '../../lib/field-kinds.ts'
import { HOURS, type Units } from '../../lib/units.ts'

/** The greatest amounts, in meters and seconds. They catch typing errors; the database has them, too. */
export const MOST_EARLIER = { distance: 160_900_000, moving_time: 36_000_000 } as const

/** How the owner types what a part was ridden before the log. */
export const earlierKinds = ({ distance }: Units) => ({
  earlier_distance: optional(numberKind({ most: 100_000, hasZero: true, ...distance })),
  earlier_moving_time: optional(numberKind({ most: 10_000, hasZero: true, ...HOURS })),
})
