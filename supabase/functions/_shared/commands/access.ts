import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Touched } from '../contracts/run-command.ts'
import { CodedError } from '../http/errors.ts'
import { DEFAULT_SETTINGS, settingsSchema } from '../formats/settings.ts'
import { createGuessLimit, type Dependencies } from '../http/token-endpoint.ts'
import { isToken } from '../http/tokens.ts'
import type { Command, Tools } from './command.ts'
import type { Units } from './fields.ts'
import { codedError } from './sql-errors.ts'

export interface Access {
  /** Returns what the request's token gives access to. Throws if the token is missing, mistyped, or in the URL. */
  open(request: Request): TokenHolder
}

/** A request's token, which is only known to be valid once something ran. All methods throw a CodedError. */
export interface TokenHolder {
  mayWrite(): Promise<boolean>
  /** Throws unless the token is valid and may run the command. */
  require(command: Command): Promise<void>
  /**
   * Validates the input, and runs the command. `key`: repeating a write with the same key and input changes nothing. `request`: its
   * body is the file that the command takes.
   */
  run(
    command: Command,
    input: unknown,
    key?: string,
    request?: Request,
  ): Promise<v.InferOutput<Command['Answer']>>
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
          const coded = codedError(error)
          throw coded instanceof CodedError && coded.code === 'forbidden' ? readOnly() : coded
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
        async run(command, values, key, fileRequest) {
          const input = v.safeParse(command.Input, values)
          if (!input.success) {
            await require(command)
            throw new CodedError('invalid_value', { message: messageOf(input.issues[0]) })
          }
          // Check before anything long is read.
          if (command.takesFile) await require(command)
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
            request: fileRequest,
            key: requestKey,
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
