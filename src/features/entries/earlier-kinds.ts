import { MAX_DISTANCE, MAX_HOURS } from '../../../supabase/functions/_shared/limits.ts'
import { optional } from '../../lib/field-kinds.ts'
import { numberKind } from '../../lib/forms.ts'
import { type Formats, HOURS } from '../../lib/formats.ts'

export const earlierKinds = ({ distance }: Formats) => ({
  earlier_distance: optional(numberKind({ max: MAX_DISTANCE, hasZero: true, ...distance })),
  earlier_moving_time: optional(numberKind({ max: MAX_HOURS, hasZero: true, ...HOURS })),
})
