import { toAppError } from './errors.ts'

type Answer = { data: unknown; error: object | null; status: number }

/** The data of a PostgREST answer; throws its error as an AppError. */
export function unwrap<A extends Answer>(answer: A): Extract<A, { error: null }>['data'] {
  const { data, error, status } = answer
  if (error === null) return data
  throw toAppError({ ...error, message: 'message' in error ? error.message : '', status })
}
