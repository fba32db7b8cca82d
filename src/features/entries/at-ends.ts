import { type Position, POSITIONS } from '../../../supabase/functions/_shared/kinds.ts'
import { POSITION_TEXTS } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import type { Formats } from '../../lib/formats.ts'
import type { Usage } from './usage-api.ts'

/** A part's usage by where it was. Absent from answers that an earlier version cached. */
type ByPosition = NonNullable<ReturnType<Usage['byPart']['get']>>['by_position'] | undefined

/** Returns a part's distances where it was, in meters, or an empty list if it was always at the same end. */
export function atEnds(by: ByPosition): { position: Position; distance: number }[] {
  const ends = POSITIONS.flatMap((position) => {
    const used = by?.[position]
    return used ? [{ position, distance: used.distance }] : []
  })
  return ends.length > 1 ? ends : []
}

/** Lists a part's distances where it was: `1,204.6 mi front`, `792.3 mi rear`. Empty if it was always at the same end. */
export const formatAtEnds = (by: ByPosition, { distance }: Formats): string[] =>
  atEnds(by).map((end) => `${distance.format(end.distance)} ${POSITION_TEXTS[end.position]}`)
