import type { Client } from './backend.ts'
import { AppError, toAppError } from './errors.ts'

type Call = { body?: Record<string, unknown>; signal?: AbortSignal }

/** Posts to an edge function as the signed-in owner. Throws an AppError with the code that the function answered. */
export async function callFunction(client: Client, name: string, call: Call = {}): Promise<unknown> {
  const { data, error } = await client.functions.invoke<unknown>(name, { method: 'POST', ...call })
  if (error === null) return data
  throw (await answeredError(error)) ?? toAppError(error)
}

/** What a function answered: its `{code, message}`, or else what the status says. Undefined when nothing answered. */
async function answeredError(error: unknown): Promise<AppError | undefined> {
  const context: unknown =
    typeof error === 'object' && error !== null && 'context' in error ? error.context : null
  if (!(context instanceof Response)) return undefined
  const body: unknown = await context.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('code' in body))
    return toAppError({ message: '', status: context.status })
  const message = 'message' in body ? String(body.message) : ''
  return new AppError(String(body.code), message, context.status)
}
