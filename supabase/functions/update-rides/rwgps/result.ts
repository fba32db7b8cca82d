import type { ErrorCode } from '../../_shared/errors.ts'

/** Why Ride with GPS gave us nothing. */
/** The codes of calls that failed; another account is no failed call. */
export type RwgpsFailure = Exclude<Extract<ErrorCode, `rwgps_${string}`>, 'rwgps_other_account'>

/** What a call came to. Failures are values: an error of `fetch` may carry the URL, and with it the credentials. */
export type Result<T> = { ok: true; value: T } | { ok: false; code: RwgpsFailure }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })

export const failed = (code: RwgpsFailure): { ok: false; code: RwgpsFailure } => ({ ok: false, code })
