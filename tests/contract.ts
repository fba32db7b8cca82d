import * as v from 'valibot'

/** Validates an answer. Throws an error with the path of each difference, such as an unknown key. */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, answer)
  if (result.success) return result.output
  throw new Error(result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('\n'))
}
