import { dayOf } from '../../lib/days.ts'
import type { Formats } from '../../lib/formats.ts'
import type { NamedBike } from '../bikes/api.ts'
import type { Changed } from './api.ts'

/** Describes a change from an earlier request: `Chain, $30.00, 03/01/2026`, or `Wheels to Gravel, 03/01/2026`. */
export function describeChange(
  { ended, added }: Changed,
  formats: Formats,
  bikes: readonly NamedBike[] = [],
): string {
  const placeOf = ({ bikeId }: { bikeId: number }) =>
    bikes.find(({ gear_id }) => gear_id === bikeId)?.name ?? 'another bike'
  const items = added.map((item) =>
    item.replaces !== null ? `${item.name}, ${formats.money(item.cost)}` : `${item.name} to ${placeOf(item)}`,
  )
  const time = added[0]?.dateStarted ?? ended[0]?.dateEnded
  const day = time ? [formats.day(dayOf(time))] : []
  return [...(added.length > 0 ? items : ended.map(({ name }) => name)), ...day].join(', ')
}
