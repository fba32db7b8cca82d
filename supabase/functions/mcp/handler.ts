import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as v from 'valibot'
import type { Access, TokenHolder } from '../_shared/commands/access.ts'
import type { Command } from '../_shared/commands/command.ts'
import { COMMANDS } from '../_shared/commands/index.ts'
import { jsonSchemaOf } from '../_shared/commands/json-schema.ts'
import type { StoredFile } from '../_shared/files/serve.ts'
import { CodedError, codeOf, ERRORS } from '../_shared/http/errors.ts'
import { createHandler, type Handler, readJson } from '../_shared/http/http.ts'
import { describeError, type Log } from '../_shared/http/log.ts'

const SERVER = { name: 'rwgps-maintenance-tracker', title: 'RWGPS Maintenance Tracker', version: '1.0.0' }

/**
 * Serves the commands as tools for AI assistants: the Model Context Protocol over HTTP, in the revision of 2026-07-28 and in those
 * with a handshake. Each request stands for itself, so a revoked token stops at once.
 */
export function createMcp({ access, log }: { access: Access; log: Log }): Handler {
  return createHandler(log, async (request) => {
    const holder = access.open(request)
    const mayWrite = await holder.mayWrite()
    const commands = COMMANDS.filter(({ say, isWrite }) => say && (mayWrite || !isWrite))
    const { fetch } = createMcpHandler(() => serverWith(commands, holder, log))
    const { url, method, headers } = request
    const parsedBody = method === 'POST' ? await readJson(request) : undefined
    // Without the original's signal, which Deno also aborts after an answer, and says so on the terminal.
    const answer = await fetch(new Request(url, { method, headers }), { parsedBody })
    answer.headers.set('Cache-Control', 'no-store')
    return answer
  })
}

function serverWith(commands: readonly Command[], holder: TokenHolder, log: Log): McpServer {
  const server = new McpServer(SERVER)
  for (const command of commands) {
    const { name, title, description, Input, Answer, method, isWrite, isIdempotent, say } = command
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: standardSchema(Input),
        // A picture is content of its own.
        outputSchema: standardSchema(command.givesFile ? v.omit(Answer, ['content']) : Answer),
        annotations: {
          readOnlyHint: !isWrite,
          destructiveHint: method === 'DELETE',
          idempotentHint: isIdempotent,
          openWorldHint: false,
        },
      },
      async (input: unknown) => {
        try {
          if (command.givesFile) return await showFile(command, input, holder)
          const answer = await holder.run(command, input)
          return { content: [text(say!(answer)), text(JSON.stringify(answer))], structuredContent: answer }
        } catch (error) {
          return { isError: true, content: [text(messageOf(error, log))] }
        }
      },
    )
  }
  return server
}

// As base64, which is four thirds of the bytes. Longer pictures cost an assistant more than they show.
const MAX_PICTURE_LENGTH = (2 ** 20 * 4) / 3

/** Shows a picture, or its thumbnail if it has more than 1 MB. */
async function showFile(command: Command, input: unknown, holder: TokenHolder) {
  const run = async (thumbnail?: object) =>
    (await holder.run(command, { ...Object(input), ...thumbnail })) as unknown as StoredFile
  const file = await run()
  const shown = file.content.length > MAX_PICTURE_LENGTH ? await run({ thumbnail: true }) : file
  const { content, ...answer } = shown
  const canShow = shown.media_type.startsWith('image/') && content.length <= MAX_PICTURE_LENGTH
  return {
    content: [
      text(command.say!(shown as never)),
      canShow
        ? { type: 'image' as const, data: content, mimeType: shown.media_type }
        : text('It can’t be shown here. Open it in the tracker, or get it from the API.'),
    ],
    structuredContent: { ...answer },
  }
}

// Like toStandardJsonSchema, but leaves out checks that JSON Schema can't express.
function standardSchema(schema: v.GenericSchema) {
  const json = () => jsonSchemaOf(schema) as Record<string, unknown>
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: json, output: json } } }
}

const text = (shown: string) => ({ type: 'text' as const, text: shown })

/** Returns what went wrong as an assistant can tell it, or correct its input by it. */
function messageOf(error: unknown, log: Log): string {
  if (error instanceof CodedError) return error.details.message ?? ERRORS[error.code].message
  log.error('unexpected_error', describeError(error))
  return ERRORS[codeOf(error)].message
}
