interface ErrorAnswer {
  status: number
  message: string
}

export const ERRORS = {
  invalid_input: { status: 400, message: 'The request body is invalid.' },
  unauthorized: { status: 401, message: 'Sign in and send your access token as a bearer token.' },
  forbidden: { status: 403, message: 'Only the owner of this tracker can do this. Sign in as the owner.' },
  unknown_bike: {
    status: 404,
    message: 'No bike has this gear_id. If the bike is new on Ride with GPS, update the rides.',
  },
  unknown_item: {
    status: 404,
    message: 'Nothing in the log has this id. It may have been deleted.',
  },
  unknown_task: { status: 404, message: 'No task has this id. It may have been removed.' },
  unknown_part: { status: 404, message: 'No part has this id. It may have been removed.' },
  unknown_change: { status: 404, message: 'No change has this id, or it is older than 30 days.' },
  unknown_path: {
    status: 404,
    message: 'The API has no such path. Its paths are in /functions/v1/api/openapi.json.',
  },
  unknown_function: { status: 404, message: 'No function has this name.' },
  unknown_calendar: {
    status: 404,
    message: 'No calendar has this address. Create a new link in the settings.',
  },
  unknown_channel: { status: 404, message: 'This channel is not set up.' },
  method_not_allowed: { status: 405, message: 'Use the method in the Allow header.' },
  key_reused: {
    status: 409,
    message: 'Another request had this Idempotency-Key. Nothing was written.',
  },
  changed_since: { status: 409, message: 'This has been changed since. Nothing was written.' },
  already_done: { status: 409, message: 'It was already done that day, with another cost or note.' },
  not_installed: { status: 409, message: 'The part is not on a bike.' },
  already_installed: { status: 409, message: 'The part is already on this bike.' },
  other_bike: { status: 409, message: 'The part was on another bike at that time. Choose another day.' },
  already_running: { status: 409, message: 'Rides are already being updated. Wait until that is finished.' },
  rwgps_other_account: {
    status: 409,
    message:
      'The stored rides belong to another Ride with GPS account. Set TRACKER_DATA_DIR to a new data folder for this account, or run `npm run switch-account` to switch this one.',
  },
  too_large: { status: 413, message: 'The request body is too large.' },
  invalid_value: { status: 422, message: 'A value is invalid. Nothing was written.' },
  invalid_day: {
    status: 422,
    message: 'The day is in the future, or before the part was installed. Nothing was written.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Try again in a minute.' },
  internal: { status: 500, message: 'Something went wrong. See the function log for details.' },
  disk_full: { status: 507, message: 'The disk is full. Free some space, then try again.' },
  rwgps_unauthorized: {
    status: 502,
    message: 'Ride with GPS rejected the credentials. Check the RWGPS variables of this tracker.',
  },
  rwgps_bad_answer: {
    status: 502,
    message: 'Ride with GPS sent an invalid response. Try again later.',
  },
  rwgps_unreachable: { status: 502, message: 'Ride with GPS cannot be reached. Try again later.' },
  rwgps_rate_limited: { status: 503, message: 'Ride with GPS is limiting requests. Try again later.' },
  rwgps_timeout: { status: 504, message: 'Ride with GPS took too long to answer. Try again later.' },
} as const satisfies Record<string, ErrorAnswer>

export type ErrorCode = keyof typeof ERRORS

// PostgreSQL's code for a full disk, and private.is_owner's for a session that has ended.
const SQL_CODES: Record<string, ErrorCode> = { '53100': 'disk_full', PT401: 'unauthorized' }

/** Returns the error's own code, the code for its SQLSTATE, or `internal`. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof CodedError) return error.code
  const sqlState = error instanceof Error && 'code' in error ? String(error.code) : ''
  return SQL_CODES[sqlState] ?? 'internal'
}

/** What an error's answer contains besides its code. The message replaces the code's usual one. */
export type ErrorDetails = { message?: string } & Record<string, unknown>

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
