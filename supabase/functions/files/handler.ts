import * as v from 'valibot'
import type { RunAnswer } from '../_shared/commands/command.ts'
import { codedError } from '../_shared/commands/sql-errors.ts'
import { MAX_BODY_BYTES } from '../_shared/files/limits.ts'
import { receiveFile } from '../_shared/commands/receive-file.ts'
import { fileResponse } from '../_shared/files/serve.ts'
import { bearerToken, requireOwner } from '../_shared/http/caller.ts'
import type { Dependencies } from '../_shared/http/endpoint.ts'
import { CodedError } from '../_shared/http/errors.ts'
import { createEndpoint, type Handler } from '../_shared/http/http.ts'
import type { Query } from '../_shared/http/query.ts'
import { Upload, Wanted } from './contract.ts'

/** Adds, lists and serves the files of the log for the owner's session. */
export function createFiles({ auth, queryAs, log }: Dependencies): Handler {
  return createEndpoint(
    log,
    async (request) => {
      const token = bearerToken(request)
      try {
        const query = Object.fromEntries(new URL(request.url).searchParams)
        if (request.method !== 'POST') return await read(parse(Wanted, query), runAs(queryAs(token)))
        const { item_id: itemId, key, ...given } = parse(Upload, query)
        return await receiveFile(
          request,
          { itemId, key, ...given },
          MAX_BODY_BYTES,
          runAs(queryAs(token), key),
        )
      } catch (error) {
        // As for other functions, the caller is only checked to pick the right error.
        await requireOwner(token, auth)
        throw codedError(error)
      }
    },
    ['GET', 'POST'],
  )
}

async function read(wanted: v.InferOutput<typeof Wanted>, run: RunAnswer): Promise<unknown> {
  if (!('id' in wanted)) return (await run('files', wanted)).answer
  const { answer } = await run('file', {
    file_id: wanted.id,
    thumbnail: wanted.thumbnail !== undefined,
  })
  return fileResponse(answer)
}

function parse<Schema extends v.GenericSchema>(schema: Schema, query: object): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, query)
  if (!parsed.success) throw new CodedError('invalid_input')
  return parsed.output
}

const Result = v.object({ answer: v.unknown(), change: v.exactOptional(v.nullable(v.string())) })

/** Runs commands as the owner. */
const runAs =
  (query: Query, key?: string): RunAnswer =>
  async (command, args = {}) => {
    const { answer, change } = await query('run_command', Result, {
      command,
      arguments: args as never,
      key: command === 'add_file' ? key : undefined,
    })
    const written = change === undefined ? answer : { ...Object(answer), change }
    return { answer: written as never }
  }
