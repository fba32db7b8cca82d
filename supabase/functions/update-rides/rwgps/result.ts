import type { ErrorCode } from '../../_shared/errors.ts'

/** Why a call to Ride with GPS failed. */
export type RwgpsFailure = Exclude<Extract<ErrorCode, `rwgps_${string}`>, 'rwgps_other_account'>

export interface Failure {
  ok: false
  code: RwgpsFailure
  /** The milliseconds for which Ride with GPS asked for no requests, if it did. */
  retryAfter?: number
}

/** The result of a call. Failures are values because a `fetch` error may contain the URL, and with it the credentials. */
export type Result<T> = { ok: true; value: T } | Failure

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })

export const failed = (code: RwgpsFailure): Failure => ({ ok: false, code })
