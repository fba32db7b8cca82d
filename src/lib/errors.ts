import { whenToRetry } from './retry-after.ts'

/** What went wrong, by a code that is stable; `message` is for the log, `messageFor` speaks to the owner. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  readonly status: number

  constructor(code: string, message: string, status = 0) {
    super(message)
    this.code = code
    this.status = status
  }
}

const SENTENCES: Record<string, string> = {
  network: 'The tracker cannot be reached. Check your connection and try again.',
  unclear: 'The connection dropped. Try again; nothing is written twice.',
  invalid_credentials: 'The e-mail or the password is not right.',
  email_not_confirmed: 'This e-mail address has not been confirmed yet.',
  over_email_send_rate_limit: 'A mail was sent only just now. Wait a minute, then try again.',
  weak_password: 'This password is too weak: take a longer one.',
  same_password: 'This is the password already.',
  reauthentication_needed: 'You signed in long ago. Sign out and in again, then change the password.',
  mfa_verification_failed: 'This code is not right, or no longer. Enter the one that is shown now.',
  no_totp_factor: 'This account has a second factor, but none of an authenticator app.',
  unauthorized: 'Your session has ended. Sign in again.',
  forbidden: 'This account is not the owner of this tracker.',
  RMT04: 'The log has changed since this preview.',
  gone: 'This log entry was deleted elsewhere.',
  unknown_bike: 'This bike is not known.',
  disk_full: 'The tracker’s disk is full. Free some space on it, then try again.',
  duplicate: 'The log already has an entry with this ID.',
  maintenance_name_check: 'A name is needed, of at most 1,000 characters.',
  maintenance_description_check: 'A description has at most 10,000 characters.',
  maintenance_cost_check: 'A cost is a number of dollars.',
  maintenance_years_check: 'Dates lie between the years 1900 and 2100.',
  maintenance_ends_after_start_check: 'The end lies before the start.',
  maintenance_type_check: 'This type is not one of the list.',
}

/** What a status says, whatever the code, and what to do unless the answer said when to try again. */
const STATUSES: Record<number, readonly [what: string, todo: string]> = {
  429: ['Too many attempts.', 'Wait a minute, then try again.'],
  503: ['The tracker is busy or still starting.', 'Try again in a moment.'],
}

const ALIASES: Record<string, string> = {
  invalid_grant: 'invalid_credentials',
  PGRST301: 'unauthorized',
  PGRST303: 'unauthorized',
  session_not_found: 'unauthorized',
  refresh_token_not_found: 'unauthorized',
  '42501': 'forbidden',
  '23505': 'duplicate',
  '53100': 'disk_full',
}

/** The sentence that tells the owner what went wrong, and where possible what to do. */
export function messageFor(error: AppError): string {
  const [what, todo] = STATUSES[error.status] ?? []
  if (what && error.code !== 'over_email_send_rate_limit') return `${what} ${whenToRetry() ?? todo}`
  return SENTENCES[error.code] ?? 'Something went wrong. Try again.'
}

/** Brings whatever was thrown or answered (PostgREST, Auth, functions, fetch) into the one shape. */
export function toAppError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const { name, code, message, status } = fieldsOf(cause)
  if (isNetworkFailure(name, message, status)) return new AppError('network', message, status)
  if (status === 507) return new AppError('disk_full', message, status)
  // A broken check names its constraint only in the text of the message.
  const constraint = code === '23514' ? /"(\w+)"/.exec(message.replace(/relation "\w+"/, ''))?.[1] : undefined
  if (constraint) return new AppError(constraint, message, status)
  // The embedded data API passes on the words alone of what the database raised by itself.
  const raised = /^(?:\w*error: )?(RMT\d\d): /i.exec(message)?.[1]
  if (raised) return new AppError(raised, message, status)
  if (/invalid login credentials/i.test(message)) return new AppError('invalid_credentials', message, status)
  // Without a session the data API answers a missing right (42501) with 401 too.
  if (status === 401 && code !== 'invalid_credentials') return new AppError('unauthorized', message, status)
  return new AppError(ALIASES[code] ?? (code || 'internal'), message, status)
}

/** Whether such a status comes from what stands before the backend, which itself did not answer. */
export function isGatewayFailure(status: number): boolean {
  return [502, 503, 504].includes(status)
}

function fieldsOf(cause: unknown) {
  const fields: Record<string, unknown> = typeof cause === 'object' && cause !== null ? { ...cause } : {}
  return {
    name: cause instanceof Error ? cause.name : text(fields['name']),
    code: text(fields['code']),
    message: cause instanceof Error ? cause.message : text(fields['message']),
    status: typeof fields['status'] === 'number' ? fields['status'] : 0,
  }
}

function text(value: unknown) {
  return typeof value === 'string' ? value : ''
}

function isNetworkFailure(name: string, message: string, status: number) {
  return (
    name === 'AuthRetryableFetchError' ||
    name === 'FunctionsFetchError' ||
    isGatewayFailure(status) ||
    /failed to fetch|fetch failed|networkerror|load failed/i.test(message)
  )
}
