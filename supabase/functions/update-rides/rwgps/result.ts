import type { ErrorCode } from '../../_shared/http/errors.ts'

export type RwgpsFailure = Exclude<Extract<ErrorCode, `rwgps_${string}`>, 'rwgps_other_account'>

export interface Failure {
  ok: false
  code: RwgpsFailure
  /** The server's Retry-After in milliseconds, if it sent one. */
  retryAfter?: number
}

/** Failures are values because a `fetch` error may contain the URL, and with it the credentials. */
export type Result<T> = { ok: true; value: T } | Failure

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })

export const failed = (code: RwgpsFailure): Failure => ({ ok: false, code })
