import { AXES, earlierByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { optional } from '../../lib/field-kinds.ts'
import { numberKind } from '../../lib/forms.ts'
import type { Formats } from '../../lib/formats.ts'

export const earlierKinds = (formats: Formats) =>
  earlierByAxis((axis) =>
    optional(numberKind({ max: AXES[axis].max, hasZero: true, ...AXES[axis].entered(formats) })),
  )
