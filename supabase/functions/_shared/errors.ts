interface Refusal {
  status: number
  message: string
}

/** Every code that a function answers with: its HTTP status, and a sentence that says what to do. */
export const ERRORS = {
  invalid_input: { status: 400, message: 'The request body is not what this function takes.' },
  unauthorized: { status: 401, message: 'Sign in first, and send your access token as a bearer token.' },
  forbidden: { status: 403, message: 'Only the owner of this tracker may do this. Sign in as the owner.' },
  unknown_bike: {
    status: 404,
    message: 'There is no bike with this gear_id. Update the rides if it is new at Ride with GPS.',
  },
  unknown_function: { status: 404, message: 'There is no function of this name.' },
  method_not_allowed: { status: 405, message: 'Use POST.' },
  already_running: { status: 409, message: 'Rides are being updated already. Wait until that has finished.' },
  rwgps_other_account: {
    status: 409,
    message:
      'These credentials belong to another Ride with GPS account than the stored rides. Set another TRACKER_DATA_DIR to start a second data folder, or run `npm run switch-account` to switch this one.',
  },
  too_large: { status: 413, message: 'The request body is too large.' },
  internal: { status: 500, message: 'Something went wrong here. The log of the function says what.' },
  rwgps_unauthorized: {
    status: 502,
    message: 'Ride with GPS refused the sign-in. Check the RWGPS credentials of this tracker.',
  },
  rwgps_bad_answer: {
    status: 502,
    message: 'Ride with GPS answered with something that cannot be read. Try again later.',
  },
  rwgps_unreachable: { status: 502, message: 'Ride with GPS cannot be reached. Try again later.' },
  rwgps_rate_limited: { status: 503, message: 'Ride with GPS asks for fewer requests. Try again later.' },
  rwgps_timeout: { status: 504, message: 'Ride with GPS took too long to answer. Try again later.' },
} as const satisfies Record<string, Refusal>

export type ErrorCode = keyof typeof ERRORS

/** A failure with a code of the table above, which is all that the caller learns about it. */
export class CodedError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(code)
    this.name = 'CodedError'
    this.code = code
  }
}
