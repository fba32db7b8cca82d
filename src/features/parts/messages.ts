import { toAppError } from '../../lib/errors.ts'
import { failureMessage } from '../../lib/writes.ts'

/** Refusals by public.change_parts and its relatives. */
const MESSAGES: Record<string, string> = {
  RMT11: 'The log was changed elsewhere.',
  RMT12: 'It has already ended.',
  RMT13: 'Choose a day on or after its start.',
  RMT14: 'Choose today or an earlier day.',
  RMT15: 'It is already on this bike.',
  RMT16: 'This bike was deleted on Ride with GPS.',
}

/** The message for a failed change: `subject` was not `done`, and why. */
export function changeFailure(subject: string, done: string, cause: unknown): string {
  const reason = MESSAGES[toAppError(cause).code]
  return reason === undefined ? failureMessage(subject, done, cause) : `${subject} was not ${done}. ${reason}`
}
