import { MAX_DISTANCE, MAX_HOURS } from '../../../supabase/functions/_shared/limits.ts'
import { optional } from '../../lib/field-kinds.ts'
import { numberKind } from '../../lib/forms.ts'
import { HOURS, type Units } from '../../lib/units.ts'

export const earlierKinds = ({ distance }: Units) => ({
  earlier_distance: optional(numberKind({ max: MAX_DISTANCE, hasZero: true, ...distance })),
  earlier_moving_time: optional(numberKind({ max: MAX_HOURS, hasZero: true, ...HOURS })),
})
