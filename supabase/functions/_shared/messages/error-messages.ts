import type { ErrorCode } from '../http/errors.ts'

interface Meaning {
  /** The message on screens. Null: the database's own message names the conflict. */
  message: string | null
  /** The code for other software. */
  code?: ErrorCode
}

/** The meaning of the database's errors, by SQLSTATE. docs/errors.md says when each `RMT` code is raised. */
export const DATABASE_ERRORS: Record<string, Meaning> = {
  RMT01: { message: 'This tracker already has an owner.' },
  RMT02: { message: 'This sync was closed.' },
  RMT03: { message: null },
  RMT04: { message: 'The log has changed since this preview.' },
  RMT05: { message: null },
  RMT07: { message: 'An earlier version was saved. Save again to replace it.', code: 'key_reused' },
  RMT10: { message: null, code: 'other_bike' },
  RMT11: { message: 'The log was changed elsewhere.', code: 'changed_since' },
  RMT12: { message: 'It has already ended.', code: 'not_installed' },
  RMT13: { message: 'Choose a day after it was installed.', code: 'invalid_day' },
  RMT14: { message: 'Choose today or an earlier day.', code: 'invalid_day' },
  RMT15: { message: 'It is already on this bike.', code: 'already_installed' },
  RMT16: { message: 'This bike was deleted on Ride with GPS.', code: 'unknown_bike' },
  RMT17: { message: 'Another part is in its place.', code: 'replaces_parts' },
  RMT18: { message: 'Only the log of a bike that was deleted at Ride with GPS can go to one that is there.' },
  RMT19: { message: 'There must be one at the front, one at the rear, or both.', code: 'not_rotatable' },
  RMT20: { message: 'Choose a day from its first install until today.', code: 'invalid_day' },
  RMT21: { message: 'It is work, not a part.', code: 'unknown_part' },
  RMT22: { message: 'It was removed elsewhere.', code: 'unknown_task' },
  RMT23: { message: 'The part is no longer in the log.', code: 'unknown_part' },
  RMT24: { message: 'The bike is already sold.' },
  RMT25: { message: 'It was already done.', code: 'already_done' },
  RMT30: { message: 'It happened more than 30 days ago.', code: 'unknown_change' },
  RMT31: { message: 'It was changed elsewhere.' },
  RMT40: { message: 'The entry is no longer in the log.', code: 'unknown_item' },
  RMT41: { message: 'The file was removed elsewhere.', code: 'unknown_file' },
  RMT42: { message: 'The entry has 20 files already.', code: 'too_many_files' },
  RMT43: { message: 'Choose a JPEG, PNG or WebP picture, or a PDF.', code: 'media_type' },
  PT401: { message: 'Your session has ended. Sign in again.', code: 'unauthorized' },
  PT409: { message: 'It was already done that day, with another cost or note.', code: 'already_done' },
  PT422: { message: null, code: 'invalid_value' },
  '22003': { message: 'A number is too large.', code: 'invalid_value' },
  '23503': { message: 'Its bike is no longer in the tracker.', code: 'unknown_bike' },
  // The constraint says more.
  '23514': { message: 'A value is invalid.', code: 'invalid_value' },
  '23P01': { message: 'This part is on another bike at that time.', code: 'other_bike' },
  '42501': { message: 'This account does not own this tracker.', code: 'forbidden' },
}
