import type { Client } from './backend.ts'
import { AppError, toAppError } from './errors.ts'

type Call = { body?: Record<string, unknown>; signal?: AbortSignal }

/** Calls an edge function as the signed-in owner. Throws an AppError with the function's error code. */
export async function callFunction(client: Client, name: string, call: Call = {}): Promise<unknown> {
  const { data, error } = await client.functions.invoke<unknown>(name, { method: 'POST', ...call })
  if (error === null) return data
  throw (await responseError(error)) ?? toAppError(error)
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
