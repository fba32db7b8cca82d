/** Messages by error code. */
const MESSAGES: Record<string, string> = {
  network: 'The tracker cannot be reached. Check your connection and try again.',
  unclear: 'The connection dropped. Try again; nothing is saved twice.',
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
  unauthorized: 'Your session has ended. Sign in again.',
  forbidden: 'This account does not own this tracker.',
  RMT04: 'The log has changed since this preview.',
  RMT11: 'The log was changed elsewhere.',
  RMT12: 'It has already ended.',
  RMT13: 'Choose a day on or after its start.',
  RMT14: 'Choose today or an earlier day.',
  RMT15: 'It is already on this bike.',
  RMT16: 'This bike was deleted on Ride with GPS.',
  RMT20: 'Choose a day from its first install until today.',
  RMT21: 'It is work, not a part.',
  RMT22: 'It was removed elsewhere.',
  RMT23: 'The part is no longer in the log.',
  RMT30: 'It happened more than 30 days ago.',
  RMT31: 'It was changed elsewhere.',
  '23503': 'Its bike is no longer in the tracker.',
  '23P01': 'This part is on another bike at that time.',
  unknown_bike: 'This bike was not found.',
  disk_full: 'The tracker’s disk is full. Free up some space, then try again.',
  duplicate: 'The log already has this entry.',
}

export const messageOf = (code: string): string | undefined => MESSAGES[code]

/** Adds the messages of a feature's own codes, such as the names of its tables' check constraints. */
export function addMessages(messages: Readonly<Record<string, string>>): void {
  Object.assign(MESSAGES, messages)
}

/** Messages by HTTP status, which override messages by code. A time in `Retry-After` replaces `todo`. */
export const STATUS_MESSAGES: Record<number, readonly [what: string, todo: string]> = {
  429: ['Too many attempts.', 'Wait a minute, then try again.'],
  503: ['The tracker is busy or still starting.', 'Try again in a moment.'],
}
