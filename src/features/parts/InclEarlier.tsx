import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { type Earlier, inclEarlier } from '../items/earlier.ts'

type Props = { part: Earlier; axis?: 'distance' | 'moving_time' }

export function InclEarlier({ part, axis }: Props) {
  const text = inclEarlier(part, useAtomValue(unitsAtom), axis)
  return text === '' ? null : <small className="tiny">{text}</small>
}
