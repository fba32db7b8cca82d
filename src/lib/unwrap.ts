import { toAppError } from './errors.ts'

type PostgrestResult = { data: unknown; error: object | null; status: number }

/** Returns the data of a PostgREST result, or throws its error as an AppError. */
export function unwrap<R extends PostgrestResult>(result: R): Extract<R, { error: null }>['data'] {
  const { data, error, status } = result
  if (error === null) return data
  throw toAppError({ ...error, message: 'message' in error ? error.message : '', status })
}
