import type { Client } from './backend.ts'
import { AppError, toAppError } from './errors.ts'

/** What a function's contract says about a call. */
type AnyCall = { name: string; input: Record<string, unknown>; answer: unknown }

/**
 * Calls an edge function as the signed-in owner. The type parameter comes from the function's contract: it names the
 * function, what it gets and what it answers. Throws an AppError with the function's error code.
 */
export async function callFunction<Call extends AnyCall>(
  client: Client,
  name: Call['name'],
  call: { body?: Call['input']; signal?: AbortSignal } = {},
): Promise<Call['answer']> {
  const { data, error } = await client.functions.invoke<Call['answer']>(name, { method: 'POST', ...call })
  if (error !== null) throw (await responseError(error)) ?? toAppError(error)
  // A proxy may answer with a page of its own.
  if (typeof data !== 'object') throw new AppError('internal', `${name} answered with ${typeof data}`)
  return data
}

/** The error in a function's response: its `{code, message}`, else one derived from the status. Undefined without a response. */
async function responseError(error: unknown): Promise<AppError | undefined> {
  const context: unknown =
    typeof error === 'object' && error !== null && 'context' in error ? error.context : null
  if (!(context instanceof Response)) return undefined
  const body: unknown = await context.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('code' in body))
    return toAppError({ message: '', status: context.status })
  const message = 'message' in body ? String(body.message) : ''
  return new AppError(String(body.code), message, context.status)
}
