import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Touched } from '../contracts/run-command.ts'
import { LIMITS } from '../axes.ts'
import { checkIn, CHECKS, DATABASE_ERRORS } from '../database-errors.ts'
import { CodedError, ERRORS } from '../http/errors.ts'
import { DEFAULT_SETTINGS, settingsSchema } from '../formats/settings.ts'
import { createGuessLimit, type Dependencies } from '../http/token-endpoint.ts'
import { isToken } from '../http/tokens.ts'
import type { Command, Tools } from './command.ts'
import type { Units } from './fields.ts'

export interface Access {
  /** Returns what the request's token gives access to. Throws if the token is missing, mistyped, or in the URL. */
  open(request: Request): TokenHolder
}

/** A request's token, which is only known to be valid once something ran. All methods throw a CodedError. */
export interface TokenHolder {
  mayWrite(): Promise<boolean>
  /** Throws unless the token is valid and may run the command. */
  require(command: Command): Promise<void>
  /** Validates the input, and runs the command. `key`: repeating a write with the same key and input changes nothing. */
  run(command: Command, input: unknown, key?: string): Promise<v.InferOutput<Command['Answer']>>
}

export function createAccess({ query, now, sync }: Omit<Dependencies, 'log'>): Access {
  const isAllowed = createGuessLimit(now)
  return {
    open(request) {
      const token = tokenOf(request)
      const token_hash = sha256(token)

      async function send(command: string, args: object, key?: string) {
        const result = await query('run_command_as', Result, {
          token_hash,
          command,
          arguments: args as never,
          key,
        }).catch((error: unknown) => {
          throw codedError(error)
        })
        // Limit only wrong tokens, so guesses never block the real one.
        if (result === null) throw isAllowed() ? wrongToken() : new CodedError('too_many_requests')
        return result
      }
      const mayWrite = async () => (await send('token', {})).scope === 'read and write'

      async function require({ isWrite }: Command) {
        if (!(await mayWrite()) && isWrite) throw readOnly()
      }

      return {
        mayWrite,
        require,
        async run(command, values, key) {
          const input = v.safeParse(command.Input, values)
          if (!input.success) {
            await require(command)
            throw new CodedError('invalid_value', { message: messageOf(input.issues[0]) })
          }
          const { units } = input.output as { units?: Units['distance'] }
          const requestKey = key === undefined ? undefined : keyOf(token_hash, key)
          let ofOwner: Units = DEFAULT_SETTINGS
          const runSql: Tools['runSql'] = async (sqlCommand, args = {}) => {
            const result = await send(sqlCommand, args, requestKey)
            const settings = result.settings ?? DEFAULT_SETTINGS
            ofOwner = { distance: units ?? settings.distance, currency: settings.currency }
            const answer =
              result.change === undefined
                ? result.answer
                : { ...Object(result.answer), change: result.change }
            return { answer: answer as never, units: ofOwner, settings }
          }
          const answer = await command.run(input.output, {
            runSql,
            async syncRides() {
              await require(command)
              await runSql('token')
              return sync()
            },
          })
          return { ...answer, units: ofOwner.distance, currency: ofOwner.currency }
        },
      }
    },
  }
}

/** The result of the SQL function `run_command_as`. */
export const Result = v.nullable(
  v.strictObject({
    scope: v.picklist(['read', 'read and write']),
    answer: v.unknown(),
    /** Of a write. Null: nothing was written. */
    change: v.exactOptional(v.nullable(v.string())),
    touched: v.exactOptional(Touched),
    /** Null: the defaults. */
    settings: v.nullable(v.looseObject(settingsSchema.entries)),
  }),
)

function tokenOf(request: Request): string {
  if (request.url.includes('rmt_')) throw tokenInUrl()
  const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.get('Authorization') ?? '') ?? []
  // A typo is told without a query.
  if (!isToken(token)) throw wrongToken()
  return token
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i

/** Returns a request key. Keys that aren't UUIDs may be short, such as a counter, so they only count for their token. */
const keyOf = (tokenHash: string, key: string) =>
  UUID.test(key)
    ? key
    : sha256(`${tokenHash} ${key}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

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

function codedError(error: unknown): unknown {
  const { code: sqlState, message = '', stored } = Object(error) as SqlError
  const code = DATABASE_ERRORS[String(sqlState)]?.code
  if (code === undefined) return error
  if (code === 'forbidden') return readOnly()
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

const wrongToken = () =>
  new CodedError('unauthorized', {
    message:
      'Send a token in the header "Authorization: Bearer rmt_…". This one is missing, mistyped, expired or revoked. Create tokens in the settings, under Access.',
  })

const tokenInUrl = () =>
  new CodedError('unauthorized', {
    message:
      'Tokens are not accepted in the URL, because URLs end up in logs. Revoke this one, and send a new one in the header "Authorization: Bearer rmt_…".',
  })

const readOnly = () =>
  new CodedError('forbidden', {
    message: 'This token may only read. Create one with the scope "Read and write" in the settings.',
  })

function messageOf(issue: v.BaseIssue<unknown>): string {
  const field = issue.path?.[0].key as string | undefined
  const problem =
    issue.type === 'strict_object' && issue.expected === 'never'
      ? 'Unknown field.'
      : issue.type === 'strict_object' || issue.received === 'null'
        ? 'Required.'
        : issue.message
  return (field === undefined ? problem : `${field}: ${problem}`).replace(/[^.]$/, '$&.')
}
