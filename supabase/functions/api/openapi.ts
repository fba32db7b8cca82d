import type { JsonSchema } from '@valibot/to-json-schema'
import type { Command } from '../_shared/commands/command.ts'
import { COMMANDS } from '../_shared/commands/index.ts'
import { jsonSchemaOf } from '../_shared/commands/json-schema.ts'
import { ERRORS } from '../_shared/http/errors.ts'

interface ObjectSchema {
  type: 'object'
  properties: Record<string, JsonSchema>
  required: string[]
  additionalProperties: boolean
}

const STATUSES = {
  401: 'The token is missing, mistyped, expired or revoked, or was sent in the URL.',
  403: 'The token may only read.',
  404: 'Nothing has this id.',
  409: 'This has changed since, needs an answer, or the Idempotency-Key belongs to another request. Nothing was written.',
  411: 'The header Content-Length is missing.',
  413: 'The file has more than 5 MB.',
  422: 'A value is invalid. Nothing was written.',
  429: 'Too many wrong tokens.',
  507: 'The disk is full. Nothing was written.',
}
const OF_FILES = new Set(['411', '413', '507'])
const OF_READS = new Set(['401', '422', '429'])

const PATHS = [...new Set(COMMANDS.flatMap(({ path }) => path ?? []))]

/** Returns the API's OpenAPI 3.1 document, which derives from the commands. */
export const describeApi = () => ({
  openapi: '3.1.1',
  info: {
    title: 'RWGPS Maintenance Tracker',
    version: '1',
    summary: 'What is due on your bikes, and what was done.',
    description:
      'Create a token in the settings, under Access. Days are ISO 8601, times have a time zone. `units` and `currency` say how to read distances and costs. In a request, null means the same as leaving a field out; `clear` names the fields to empty.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/functions/v1/api' }],
  security: [{ token: [] }],
  paths: Object.fromEntries(
    PATHS.map((path) => [
      path,
      Object.fromEntries(
        COMMANDS.filter((command) => command.path === path).map((command) => [
          command.method.toLowerCase(),
          operationOf(command),
        ]),
      ),
    ]),
  ),
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: '`rmt_` and 40 letters and digits.' },
    },
    schemas: {
      Error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { enum: Object.keys(ERRORS), description: 'A stable code.' },
          message: { type: 'string', description: 'What happened, and what to do. May change.' },
          would_replace: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                entry_id: { type: 'integer', description: 'The entry’s id.' },
                name: { type: 'string', description: 'Its name.' },
              },
              required: ['entry_id', 'name'],
            },
            description: 'For `replaces_parts`: the entries in use that may be in the part’s place.',
          },
          conflicts: {
            type: 'array',
            items: { type: 'object' },
            description:
              'For `undo`: the rows that were changed since, each with the value of the change (`after`) and the present one (`present`), as stored: meters, seconds and columns of the tables.',
          },
        },
      },
    },
  },
})

function operationOf(command: Command) {
  const { properties, required, ...rest } = jsonSchemaOf(command.Input) as unknown as ObjectSchema
  const inPath = (name: string) => command.path!.includes(`{${name}}`)
  const hasBody = !command.takesFile && (command.method === 'POST' || command.method === 'PATCH')
  const inBody = (name: string) => hasBody && name !== 'units' && !inPath(name)
  const names = Object.keys(properties)
  const body = {
    ...rest,
    properties: Object.fromEntries(names.filter(inBody).map((name) => [name, properties[name]])),
    required: required.filter(inBody),
  }
  const parameters = names
    .filter((name) => !inBody(name))
    .map((name) => {
      const { description, anyOf, ...schema } = properties[name] ?? {}
      const isInPath = inPath(name)
      return {
        name,
        in: isInPath ? 'path' : 'query',
        required: isInPath || required.includes(name),
        description,
        // Null, as in a body, has no form in a URL.
        schema: { ...schema, ...(anyOf?.[0] as JsonSchema | undefined) },
      }
    })
  const hasId = names.includes('bike') || command.path!.includes('{')
  const statuses = Object.entries(STATUSES).filter(([status]) =>
    OF_FILES.has(status)
      ? command.takesFile
      : command.isWrite || OF_READS.has(status) || (status === '404' && hasId),
  )
  return {
    operationId: command.name,
    summary: command.title,
    description: command.description,
    parameters: command.isWrite ? [...parameters, IDEMPOTENCY_KEY] : parameters,
    ...(hasBody && {
      requestBody: {
        required: body.required.length > 0,
        content: { 'application/json': { schema: body } },
      },
    }),
    ...(command.takesFile && { requestBody: { required: true, content: FILE } }),
    responses: {
      200: {
        description: 'OK',
        content: command.givesFile ? FILE : { 'application/json': { schema: jsonSchemaOf(command.Answer) } },
      },
      ...Object.fromEntries(statuses.map(([status, description]) => [status, errorResponse(description)])),
    },
  }
}

const FILE = Object.fromEntries(
  ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'].map((type) => [type, {}]),
)

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names the request, so repeating it after a lost response changes nothing and is answered as before, for 30 days. A UUID, or any text that the same token sends once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})
