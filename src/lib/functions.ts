import type { Client } from './backend.ts'
import { AppError, toAppError } from './errors.ts'

type AnyCall = { name: string; input: Record<string, unknown>; answer: unknown }

/** Calls an edge function as the owner. `Call` is its contract. Throws an AppError with the function's error code. */
export async function callFunction<Call extends AnyCall>(
  client: Client,
  name: Call['name'],
  call: { body?: Call['input']; signal?: AbortSignal } = {},
): Promise<Call['answer']> {
  const { data, error } = await client.functions.invoke<Call['answer']>(name, { method: 'POST', ...call })
  if (error !== null) throw (await responseError(error)) ?? toAppError(error)
  // A proxy may answer with an HTML page.
  if (typeof data !== 'object') throw new AppError('internal', `${name} answered with ${typeof data}`)
  return data
}

/** Returns an error from a response's `{code, message}` or status, or undefined if there was no response. */
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
