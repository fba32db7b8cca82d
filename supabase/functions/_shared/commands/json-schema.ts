import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

/** Converts a contract to JSON Schema (draft 2020-12). Leaves out the checks that JSON Schema can't express. */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    ignoreActions: ['check'],
  })
  return json
}
