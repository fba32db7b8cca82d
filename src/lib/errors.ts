import { DATABASE_ERRORS } from '../../supabase/functions/_shared/messages/error-messages.ts'
import type { WriteName, Written } from '../../supabase/functions/_shared/contracts/run-command.ts'

/** An error with a stable code. `message` is for logs; `messageFor` returns the text to show. For `explained`, both are the same. */
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

/** Thrown if an earlier version of a command was saved but its response was lost. The new version wrote nothing. */
export class SavedEarlier extends AppError {
  /** The answer of `run_command`. */
  readonly stored: Written<WriteName>

  constructor(stored: unknown) {
    super('RMT07', 'An earlier version was saved', 409)
    this.stored = stored as Written<WriteName>
  }
}

/** Thrown if a value was changed, or a task was done, elsewhere after the owner saw it. Nothing was written. `stored` is the row now. */
export class ChangedElsewhere extends AppError {
  readonly stored: Values

  constructor(stored: Values, code = 'RMT31') {
    super(code, 'Changed elsewhere', 409)
    this.stored = stored
  }
}

export type Values = Readonly<Record<string, string | number | boolean | null>>

const ALIASES: Record<string, string> = {
  invalid_grant: 'invalid_credentials',
  PT401: 'unauthorized',
  PGRST301: 'unauthorized',
  PGRST303: 'unauthorized',
  session_not_found: 'unauthorized',
  refresh_token_not_found: 'unauthorized',
  '42501': 'forbidden',
  '23505': 'duplicate',
  '53100': 'disk_full',
}

/** Messages by error code. */
const MESSAGES: Record<string, string> = {
  network: 'The tracker cannot be reached. Check your connection and try again.',
  not_kept: 'The tracker cannot be reached, and this browser has no room to keep the change.',
  unclear: 'The connection dropped. Try again; nothing is saved twice.',
  too_old: 'It has waited for more than 30 days.',
  invalid_credentials: 'Wrong email or password.',
  email_not_confirmed: 'This email address is not confirmed yet.',
  // Supabase's built-in mailer only sends to the project's team.
  email_address_not_authorized:
    'The project cannot send email to this address. Use the address of your Supabase account, or set up SMTP in the project’s Auth settings.',
  over_email_send_rate_limit: 'An email was just sent. Wait a minute, then try again.',
  weak_password: 'This password is too weak. Choose a longer one.',
  same_password: 'This is already your password.',
  reauthentication_needed: 'You signed in a while ago. Sign out and in again, then change your password.',
  current_password_required:
    'The project requires your current password for this, which the tracker does not ask for. Turn that off in the project’s Auth settings.',
  mfa_verification_failed: 'Wrong or expired code. Enter the code your app shows now.',
  no_code: 'Enter the six-digit code from your authenticator app.',
  no_totp_factor: 'This account has a second factor, but it is not an authenticator app.',
  ...Object.fromEntries(
    Object.entries(DATABASE_ERRORS).flatMap(([code, { message }]) =>
      message ? [[ALIASES[code] ?? code, message]] : [],
    ),
  ),
  unknown_bike: 'This bike was not found.',
  unknown_channel: 'This is no longer set up. Reload the page.',
  // The database's statement_timeout.
  '57014':
    'This took the tracker too long, so it was canceled. Try again, or split a large import into smaller files.',
  disk_full: 'The tracker’s disk is full. Free up some space, then try again.',
  // Also what a proxy sends: nginx accepts 1 MB unless it is told otherwise.
  too_large:
    'This is too large for the tracker or its proxy. Send less at once, or raise the proxy’s limit for requests.',
  media_type: 'It is not a whole photo or PDF.',
  too_many_files: 'An entry can have 20 files.',
  unknown_item: 'Its entry was removed.',
  unknown_file: 'It was removed elsewhere.',
  duplicate: 'The log already has this entry.',
}

/** Messages by HTTP status, which override messages by code. A time in `Retry-After` replaces `todo`. */
const STATUS_MESSAGES: Record<number, readonly [what: string, todo: string]> = {
  429: ['Too many attempts.', 'Wait a minute, then try again.'],
  503: ['The tracker is busy or still starting.', 'Try again in a moment.'],
  504: ['The tracker or its proxy took too long.', 'Try again in a moment.'],
}

/** Returns the message to show: what went wrong and, if possible, what to do. */
export function messageFor(error: AppError): string {
  const [what, todo] = STATUS_MESSAGES[error.status] ?? []
  if (what && error.code !== 'over_email_send_rate_limit') return `${what} ${whenToRetry() ?? todo}`
  // These messages name the field, the conflicting period or the conflicting values.
  if (error.code === 'explained' || DATABASE_ERRORS[error.code]?.message === null) return error.message
  return MESSAGES[error.code] ?? 'Something went wrong. Try again.'
}

/** Converts any error from PostgREST, Auth, functions or fetch. */
export function toAppError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const { name, code, message, status, stored } = fieldsOf(cause)
  if (code === 'RMT07') return new SavedEarlier(stored)
  if (code === 'RMT31' || code === 'PT409') return new ChangedElsewhere(stored as Values, code)
  // Postgrest only has the name in the message.
  if (/^TimeoutError\b/.test(name || message)) return new AppError('unclear', message, status)
  if (isNetworkFailure(name, message, status)) return new AppError('network', message, status)
  if (!code && [413, 414, 431].includes(status)) return new AppError('too_large', message, status)
  if (status === 507) return new AppError('disk_full', message, status)
  if (/invalid login credentials/i.test(message)) return new AppError('invalid_credentials', message, status)
  // Without a session, the data API responds with 401 even to a missing privilege (42501).
  if (status === 401 && code !== 'invalid_credentials') return new AppError('unauthorized', message, status)
  return new AppError(ALIASES[code] ?? (code || 'internal'), message, status)
}

/** Returns whether a proxy responded because the backend did not. */
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
    stored: fields['stored'],
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

let until = 0

/** Remembers a busy backend's `Retry-After`, because Auth and PostgREST errors carry no headers. */
export function noteRetryAfter({ status, headers }: Response): void {
  if (status !== 429 && status !== 503) return
  const value = headers.get('Retry-After') ?? ''
  until = /^\d+$/.test(value) ? Date.now() + Number(value) * 1000 : Date.parse(value) || 0
}

/** Returns when to try again, or null if the backend didn't say or the time has passed. */
function whenToRetry(): string | null {
  const seconds = Math.ceil((until - Date.now()) / 1000)
  if (seconds <= 0) return null
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`
}

type Result = { data: unknown; error: object | null; status?: number }

/** Returns the data of a result of PostgREST or Auth, or throws its error as an AppError. */
export function unwrap<R extends Result>({ data, error, ...http }: R): Extract<R, { error: null }>['data'] {
  if (error === null) return data
  // PostgREST's status is in the result, because its error is the response's body. Auth's status is in the error.
  throw toAppError({ ...error, ...http, message: 'message' in error ? error.message : '' })
}
