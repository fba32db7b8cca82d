import type { RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { useFormats } from '../../lib/formats.ts'
import { type Earlier, inclEarlier } from './earlier.ts'

type Props = { part: Earlier; axis?: RideAxis }

export function InclEarlier({ part, axis }: Props) {
  const text = inclEarlier(part, useFormats(), axis)
  return text === '' ? null : <small className="tiny">{text}</small>
}
