import { LIMITS } from '../axes.ts'
import { checkIn, CHECKS, DATABASE_ERRORS } from '../database-errors.ts'
import { CodedError, ERRORS } from '../http/errors.ts'

/** The fields of the checks that depend on stored values. */
const FIELDS: Record<string, string | undefined> = {
  maintenance_ends_after_start_check: 'ended_on',
  maintenance_ended_as_needs_end_check: 'ended_as',
  maintenance_position_check: 'position',
  parts_kind_check: 'kind',
  service_tasks_limit_check: LIMITS[0],
}

interface SqlError {
  code?: string
  message?: string
  /** The details that `private.refuse` adds. */
  stored?: unknown
}

interface WouldReplace {
  entry_id: number
  name: string
}

/** Returns what other software is told about an error of a command. Returns an error without a code unchanged. */
export function codedError(error: unknown): unknown {
  const { code: sqlState, message = '', stored } = Object(error) as SqlError
  const code = DATABASE_ERRORS[String(sqlState)]?.code
  if (code === undefined) return error
  if (code === 'replaces_parts') return replacesParts(stored as WouldReplace[])
  const problem = sqlState === 'PT422' ? message : problemOf(checkIn(message) ?? '')
  return new CodedError(code, {
    ...(problem !== undefined && { message: problem }),
    ...(stored !== undefined && { status: 409 }),
  })
}

/** Names the parts in the message, too, which is all that an assistant sees. */
const replacesParts = (would_replace: readonly WouldReplace[]) =>
  new CodedError('replaces_parts', {
    message: `${ERRORS.replaces_parts.message} In use there: ${would_replace.map(({ entry_id, name }) => `${name} (${entry_id})`).join(', ')}.`,
    would_replace,
  })

function problemOf(check: string): string | undefined {
  const message = (CHECKS as Record<string, string>)[check]
  return message && check in FIELDS ? `${FIELDS[check]}: ${message}` : message
}
