interface ErrorAnswer {
  status: number
  message: string
}

/** By status. OpenAPI lists the codes in this order. */
export const ERRORS = {
  ...of(400, { invalid_input: 'The request body is invalid.' }),
  ...of(401, { unauthorized: 'Sign in and send your access token as a bearer token.' }),
  ...of(403, { forbidden: 'Only the owner of this tracker can do this. Sign in as the owner.' }),
  ...of(404, {
    unknown_bike: 'No bike has this id. If the bike is new on Ride with GPS, update the rides.',
    unknown_item: 'Nothing in the log has this id. It may have been deleted.',
    unknown_task: 'No task has this id. It may have been removed.',
    unknown_part: 'No part has this id. It may have been removed.',
    unknown_file: 'No file has this id. It may have been removed.',
    unknown_change: 'No change has this id, or it is older than 30 days.',
    unknown_path: 'The API has no such path. Its paths are in /functions/v1/api/openapi.json.',
    unknown_function: 'No function has this name.',
    unknown_calendar: 'No calendar has this address. Create a new link in the settings.',
    unknown_channel: 'This channel is not set up.',
  }),
  ...of(405, { method_not_allowed: 'Use the method in the Allow header.' }),
  ...of(409, {
    key_reused: 'Another request had this Idempotency-Key. Nothing was written.',
    changed_since: 'This has been changed since. Nothing was written.',
    already_done: 'It was already done, that day with another cost or note, or once.',
    not_installed: 'The part is not on a bike.',
    already_installed: 'The part is already on this bike.',
    replaces_parts:
      'Nothing was written, because another part may be in its place. Send `replaces` with the ids of the entries that it replaces, or an empty list.',
    not_rotatable: 'It is not known which part is at the front and which at the rear. Nothing was written.',
    too_many_files: 'The entry has 20 files already. Remove one first. Nothing was written.',
    other_bike: 'The part was on another bike at that time. Choose another day.',
    already_running: 'Rides are already being updated. Wait until that is finished.',
    rwgps_other_account:
      'The stored rides belong to another Ride with GPS account. Set TRACKER_DATA_DIR to a new data folder for this account, or run `npm run switch-account` to switch this one.',
  }),
  ...of(411, { length_required: 'Send the length of the body in the header Content-Length.' }),
  ...of(413, { too_large: 'The request body is too large.' }),
  ...of(422, {
    invalid_value: 'A value is invalid. Nothing was written.',
    media_type:
      'Send a whole JPEG, PNG or WebP picture, upright unless it is a JPEG, or a PDF. Nothing was written.',
    invalid_day: 'The day is in the future, or before the part was installed. Nothing was written.',
  }),
  ...of(429, { too_many_requests: 'Too many requests. Try again in a minute.' }),
  ...of(500, { internal: 'Something went wrong. See the function log for details.' }),
  ...of(502, {
    rwgps_unauthorized: 'Ride with GPS rejected the credentials. Check the RWGPS variables of this tracker.',
    rwgps_bad_answer: 'Ride with GPS sent an invalid response. Try again later.',
    rwgps_unreachable: 'Ride with GPS cannot be reached. Try again later.',
  }),
  ...of(503, {
    database_unavailable: 'The database cannot be reached. Try again in a moment.',
    rwgps_rate_limited: 'Ride with GPS is limiting requests. Try again later.',
  }),
  ...of(504, { rwgps_timeout: 'Ride with GPS took too long to answer. Try again later.' }),
  ...of(507, { disk_full: 'The disk is full. Free some space, then try again.' }),
}

function of<Code extends string>(status: number, messages: Record<Code, string>): Record<Code, ErrorAnswer> {
  const answers = Object.entries<string>(messages).map(([code, message]) => [code, { status, message }])
  return Object.fromEntries(answers)
}

export type ErrorCode = keyof typeof ERRORS

// PostgreSQL's code for a full disk, and private.is_owner's for a session that has ended.
const SQL_CODES: Record<string, ErrorCode> = { '53100': 'disk_full', PT401: 'unauthorized' }

/** Returns the error's own code, the code for its SQLSTATE, or `internal`. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof CodedError) return error.code
  if (!(error instanceof Error)) return 'internal'
  const code = 'code' in error ? String(error.code) : ''
  // PostgREST's errors and Auth's if they can't use the database.
  if (/^PGRST00[0-3]$/.test(code) || error.name === 'AuthRetryableFetchError') return 'database_unavailable'
  return SQL_CODES[code] ?? 'internal'
}

/** The fields of an error's answer besides its code. The message and the status replace the code's usual ones. */
export type ErrorDetails = { message?: string; status?: number } & Record<string, unknown>

/** An error whose code, message and details are safe to show to the caller. */
export class CodedError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(code)
    this.name = 'CodedError'
    this.code = code
    this.details = details
  }
}
