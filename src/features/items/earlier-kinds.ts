import { numberKind, optional } from '../../lib/field-kinds.ts'
import { HOURS, type Units } from '../../lib/units.ts'

/** How the owner types what a part was ridden before the log. */
export const earlierKinds = ({ distance }: Units) => ({
  earlier_distance: optional(numberKind({ most: 100_000, hasZero: true, ...distance })),
  earlier_moving_time: optional(numberKind({ most: 10_000, hasZero: true, ...HOURS })),
})
