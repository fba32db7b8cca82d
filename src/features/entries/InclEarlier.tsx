import { useFormats } from '../../lib/formats.ts'
import { type Earlier, inclEarlier } from './earlier.ts'

type Props = { part: Earlier; axis?: 'distance' | 'moving_time' }

export function InclEarlier({ part, axis }: Props) {
  const text = inclEarlier(part, useFormats(), axis)
  return text === '' ? null : <small className="tiny">{text}</small>
}
