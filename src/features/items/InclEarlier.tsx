import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { type Earlier, inclEarlier } from './earlier.ts'

type Props = { part: Earlier; axis?: 'distance' | 'moving_time' }

/** A small line below a number that includes what the part was ridden before the log. Absent if there is nothing. */
export function InclEarlier({ part, axis }: Props) {
  const words = inclEarlier(part, useAtomValue(unitsAtom), axis)
  return words === '' ? null : <small className="tiny">{words}</small>
}
