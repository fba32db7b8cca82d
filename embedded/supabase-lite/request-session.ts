import { AsyncLocalStorage } from 'node:async_hooks'
import { inspect } from 'node:util'
import type { ReservedSql } from 'postgres'
import { DatabaseUnavailable, isConnectionError, type Session, type Sessions } from '../sessions.ts'

/** An error response for a request that the database could not answer. */
export interface Failure {
  status: number
  code: string
  message: string
}

const requests = new AsyncLocalStorage<{ failure?: Failure }>()

/** Answers a request. Replaces Supabase Lite's 500 response with the database's failure, if known. */
export async function answerOrFail(
  answer: () => Promise<Response>,
  fail: (failure: Failure) => Response,
): Promise<Response> {
  const request: { failure?: Failure } = {}
  try {
    const response = await requests.run(request, answer)
    return request.failure && !response.ok ? fail(request.failure) : response
  } catch (error) {
    // The tracker's own session may also break.
    const lost = isConnectionError(error as Error) ? new DatabaseUnavailable('PGRST001') : undefined
    const failure = request.failure ?? (lost && failureOf(lost))
    if (failure) return fail(failure)
    throw error
  }
}

interface DriverError extends Error {
  code?: string
  where?: string
  detail?: string
}

function failureOf(error: DriverError): Failure | undefined {
  const { code = '', message } = error
  if (error instanceof DatabaseUnavailable) return { status: 503, code, message }
  if (code === DISK_FULL) return { status: 507, code, message: 'The disk is full. Nothing was saved.' }
  if (code === CANCELED)
    return { status: 413, code, message: 'The statement took too long and was canceled. Nothing was saved.' }
  if (code === TOO_LARGE) return { status: 413, code, message }
  return undefined
}

// PostgreSQL's error codes.
const DISK_FULL = '53100'
const CANCELED = '57014'
const TOO_LARGE = 'too_large'

type Settings = Record<string, string>
const settingsOfRequests = new AsyncLocalStorage<Settings>()

/** Adds PostgreSQL settings for the transactions that `work` begins. */
export const withSettings = <T>(settings: Settings, work: () => T): T =>
  settingsOfRequests.run({ ...settingsOfRequests.getStore(), ...settings }, work)

/** Returns a session for one transaction. Reserves a real session when the first statement runs, and sends the settings with it. */
export function reserveLater(sessions: Sessions): ReservedSql {
  let session: Session | undefined
  let isBegun = false
  const settings = settingsOfRequests.getStore()

  async function run(...[query, parameters = [], options]: Parameters<Session['run']>): Promise<unknown[]> {
    if (query === 'begin') isBegun = true
    if (query === 'begin' || (!session && ENDS.test(query))) return []
    if (parameters.length > MAX_VALUES) throw tooManyValues()
    session ??= await sessions.take()
    // PostgreSQL doesn't run the statement if the settings fail, because they share a transaction.
    const statements = [
      ...(isBegun ? [session.run('begin')] : []),
      ...(isBegun && settings ? [session.run(SET, [JSON.stringify(settings)], { prepare: true })] : []),
      session.run(query, parameters, options),
    ]
    isBegun = false
    return (await Promise.all(statements)).at(-1)!
  }

  async function unsafe(...statement: Parameters<Session['run']>): Promise<unknown[]> {
    try {
      return await run(...statement)
    } catch (cause) {
      const error = cause as DriverError
      // A broken session is closed, which ends its transaction. The error that broke it was already reported.
      if (statement[0] === 'rollback') return []
      // Details quote row values. Keep the owner's data and email out of the logs.
      delete error.detail
      printOnOneLine(error)
      const request = requests.getStore()
      const failure = failureOf(error)
      if (request && failure) request.failure = failure
      const column = unreadableColumn(error, statement[0])
      if (column) error.message = `${column}: ${error.message}`
      if (BAD_REQUEST.test(error.code ?? '')) respondWith400(error)
      throw error
    }
  }

  return { unsafe, release: () => session?.release() } as unknown as ReservedSql
}

/** Lets the console print an error as one line. Supabase Lite prints every error, and the driver's stack says nothing about it. */
function printOnOneLine(error: DriverError): void {
  const line = `A request failed: ${error.code} ${error.message.replaceAll('\n', ' ')}`
  Object.defineProperty(error, inspect.custom, { value: () => line })
}

/** Returns a session that runs statements within the transaction of another one. */
export function withinTransaction(session: ReservedSql): ReservedSql {
  const run: Session['run'] = async (...statement) =>
    statement[0] === 'begin' || ENDS.test(statement[0]) ? [] : session.unsafe(...statement)
  return { unsafe: run, release: () => undefined } as unknown as ReservedSql
}

const SET = 'select set_config(key, value, true) from json_each_text($1)'
const ENDS = /^(?:commit|rollback)$/

// The driver's limit, two fewer than the PostgreSQL protocol allows.
const MAX_VALUES = 65_533

const tooManyValues = () =>
  Object.assign(new Error(`The request has more than ${MAX_VALUES} values.`), { code: TOO_LARGE })

/** Returns the column or argument whose value PostgreSQL couldn't read. Its error only has the parameter's number. */
function unreadableColumn({ where = '' }: DriverError, query: string): string | undefined {
  const parameter = /parameter (\$\d+)/.exec(where)?.[1]
  if (parameter === undefined) return undefined
  if (!query.startsWith('insert ')) return new RegExp(`(\\w+)"? :?= \\${parameter}\\b`).exec(query)?.[1]
  const [columns, ...rows] = [...query.matchAll(/\(([^()]+)\)/g)].map(([, list]) => list!.split(', '))
  const row = rows.find((values) => values.includes(parameter))
  return row && columns?.[row.indexOf(parameter)]?.replaceAll('"', '')
}

// Failed checks, exclusion constraints and our own errors. PostgREST returns 400 for them, but Supabase Lite returns 500.
const BAD_REQUEST = /^(?:23514|23P01|P0001|RMT\d\d)$/

/** Rewrites an error in PostgREST's format for custom responses. */
function respondWith400(error: DriverError): void {
  const { code, message } = error
  Object.assign(error, {
    code: 'PGRST',
    message: JSON.stringify({ code, message }),
    detail: JSON.stringify({ status: 400, headers: {} }),
  })
}
