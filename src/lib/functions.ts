import type { Answers } from '../../supabase/functions/_shared/contracts/data-api.ts'
import type { Database, Json } from '../../supabase/database.types.ts'
import type { Client } from './backend.ts'
import { AppError, toAppError, unwrap } from './errors.ts'
import { lazyCode } from './lazy-code.ts'

const loadErrors = lazyCode(() => import('../../supabase/functions/_shared/database-errors.ts'))

type AnyCall = { name: string; input: Record<string, unknown>; answer: unknown }

/** Calls an edge function as the owner. `Call` is its contract. Throws an AppError with the function's error code. */
export async function callFunction<Call extends AnyCall>(
  client: Client,
  name: Call['name'],
  call: { method?: 'GET'; body?: Call['input']; signal?: AbortSignal } = {},
): Promise<Call['answer']> {
  const { data, error } = await client.functions.invoke<Call['answer']>(name, { method: 'POST', ...call })
  if (error !== null) {
    const response = (error as { context?: unknown }).context
    throw response instanceof Response ? await failureOf(response) : toAppError(error)
  }
  // A proxy may answer with an HTML page.
  if (typeof data !== 'object') throw new AppError('internal', `${name} answered with ${typeof data}`)
  return data
}

/** Returns the error of a response, from its `{code, message}` or its status. */
export async function failureOf(response: Response): Promise<AppError> {
  const { status } = response
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('code' in body))
    return toAppError({ message: '', status })
  return new AppError(String(body.code), 'message' in body ? String(body.message) : '', status)
}

type Functions = Database['public']['Functions']

export type SqlFunction = keyof Functions

export type Args<Name extends SqlFunction> = Functions[Name]['Args']

/** The answer of a SQL function. Unknown if it is JSON without a contract. */
export type Answer<Name extends SqlFunction> = Name extends keyof Answers
  ? Answers[Name]
  : Json extends Functions[Name]['Returns']
    ? unknown
    : Functions[Name]['Returns']

/** Calls a SQL function through the data API. The answer has the type of its contract. */
export async function callSql<Name extends SqlFunction>(
  client: Pick<Client, 'rpc'>,
  name: Name,
  args: Args<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const call = client.rpc(name, args as never)
  const result = await (signal ? call.abortSignal(signal) : call)
  try {
    return unwrap(result) as unknown as Answer<Name>
  } catch (cause) {
    throw (await checkFailure(cause)) ?? cause
  }
}

/** Returns what a violated check constraint means, which PostgREST names only in the message. Undefined for other errors. */
async function checkFailure(cause: unknown): Promise<AppError | undefined> {
  if (!(cause instanceof AppError) || cause.code !== '23514') return undefined
  const errors = await loadErrors().catch(() => null)
  if (!errors) return undefined
  const message = (errors.CHECKS as Record<string, string>)[errors.checkIn(cause.message) ?? '']
  return message === undefined ? undefined : new AppError('explained', message, cause.status)
}
