import * as v from 'valibot'

import { dayOf, formatDay } from '../../lib/days.ts'
import { SavedEarlier, toAppError } from '../../lib/errors.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { failureMessage, savedEarlierMessage } from '../../lib/writes.ts'
import type { NamedBike } from '../bikes/api.ts'
import { Changed } from './api.ts'

/** Refusals by public.change_parts and its relatives. */
const MESSAGES: Record<string, string> = {
  RMT11: 'The log was changed elsewhere.',
  RMT12: 'It has already ended.',
  RMT13: 'Choose a day on or after its start.',
  RMT14: 'Choose today or an earlier day.',
  RMT15: 'It is already on this bike.',
  RMT16: 'This bike was deleted on Ride with GPS.',
}

/** What a change wrote: `Chain, $30.00, 03/01/2026`, or `Wheels to Gravel, 03/01/2026`. */
function describe({ ended, added, replaced }: Changed, bikes: readonly NamedBike[]): string {
  const placeOf = ({ bikeId }: Changed['added'][number]) =>
    bikes.find(({ gear_id }) => gear_id === bikeId)?.name ?? 'another bike'
  const items = added.map((item) =>
    replaced.length > 0 ? `${item.name}, ${formatCurrency(item.cost)}` : `${item.name} to ${placeOf(item)}`,
  )
  const time = added[0]?.dateStarted ?? ended[0]?.dateEnded
  const day = time ? [formatDay(dayOf(time))] : []
  return [...(added.length > 0 ? items : ended.map(({ name }) => name)), ...day].join(', ')
}

/** The message for a failed change: `subject` was not `done`, and why. */
export function changeFailure(
  subject: string,
  done: string,
  cause: unknown,
  bikes: readonly NamedBike[] = [],
): string {
  if (cause instanceof SavedEarlier) {
    return savedEarlierMessage(describe(v.parse(Changed, cause.stored), bikes))
  }
  const reason = MESSAGES[toAppError(cause).code]
  return reason === undefined ? failureMessage(subject, done, cause) : `${subject} was not ${done}. ${reason}`
}
