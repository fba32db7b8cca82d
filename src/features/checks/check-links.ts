import { allRidesHref, detailsHref, logHref, ridesWithoutBikeHref } from '../entries/links.ts'
import { rideName } from '../../../supabase/functions/_shared/messages/check-messages.ts'
import type { Line } from '../../../supabase/functions/to-check/contract.ts'
import { quote } from '../../lib/formats.ts'

type Kind = Line['kind']

export const GROUPS: { heading: string; kinds: readonly Kind[] }[] = [
  { heading: 'Rides without a bike', kinds: ['no_bike', 'gone_bike'] },
  { heading: 'Likely the wrong bike', kinds: ['sold_bike', 'wrong_bike'] },
  { heading: 'Recorded twice', kinds: ['same_ride'] },
  {
    heading: 'Impossible numbers',
    kinds: ['date', 'moving_time', 'max_speed', 'average_speed', 'distance', 'time', 'no_distance'],
  },
  { heading: 'Skipped by the last sync', kinds: ['skipped', 'skipped_others'] },
  { heading: 'Gaps and overlaps', kinds: ['no_part', 'two_parts'] },
  { heading: 'Unknown parts', kinds: ['no_kind'] },
  { heading: 'End dates and former bikes', kinds: ['parts_in_use', 'gone_log', 'late_end'] },
]

export type Link = { href: string; name: string; isOutside: boolean }

const inside = (href: string, name: string): Link => ({ href, name, isOutside: false })

/** Returns links to where a line's problem can be fixed. `gearId` is any bike's, because the ride list needs one. */
export function linksOf(line: Line, rwgpsUrl: string, gearId: number | undefined): Link[] {
  const trip = (id: number, name: string) => ({ href: `${rwgpsUrl}/trips/${id}`, name, isOutside: true })
  switch (line.kind) {
    case 'no_bike':
      return gearId === undefined ? [] : [inside(ridesWithoutBikeHref(gearId), 'the rides without a bike')]
    case 'skipped_others':
      return gearId === undefined ? [] : [inside(allRidesHref(gearId), 'the rides')]
    case 'gone_bike':
    case 'sold_bike':
      return [inside(allRidesHref(line.gear_id), 'its rides')]
    case 'skipped':
      return [trip(line.ride_id, `Ride ${line.ride_id}`)]
    case 'gone_log':
      return [inside(logHref(line.gear_id), 'its log')]
    case 'no_kind':
      return []
    case 'parts_in_use':
    case 'late_end':
    case 'no_part':
    case 'two_parts':
      return line.items.map(({ id, name }) => inside(detailsHref(line.gear_id, id), quote(name.trim())))
    default:
      return line.rides.map((ride, index) => trip(ride.id, rideName(line, index)))
  }
}
