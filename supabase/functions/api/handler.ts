import type { GenericSchema } from 'valibot'
import type { Access } from '../_shared/commands/access.ts'
import type { Command } from '../_shared/commands/command.ts'
import { COMMANDS } from '../_shared/commands/index.ts'
import { fileResponse, type StoredFile } from '../_shared/files/serve.ts'
import { CodedError } from '../_shared/http/errors.ts'
import { createHandler, errorAnswer, type Handler, readJson } from '../_shared/http/http.ts'
import type { Log } from '../_shared/http/log.ts'
import { describeApi } from './openapi.ts'

interface Route {
  pattern: RegExp
  command: Command
}

const ROUTES = COMMANDS.flatMap((command): Route[] => {
  const { path } = command
  if (path === null) return []
  return [{ pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`), command }]
})

/** Serves the commands that have a path. Without CORS headers, because web pages of other origins must not hold a token. */
export function createApi({ access, log }: { access: Access; log: Log }): Handler {
  return createHandler(log, async (request) => {
    const url = new URL(request.url)
    // Hosted functions get the path without /functions/v1.
    const path = url.pathname.replace(/^(\/functions\/v1)?\/api/, '')
    // The server leaves out the body of an answer to HEAD.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (path === '/openapi.json') return method === 'GET' ? describeApi() : notAllowed(['GET'])
    const holder = access.open(request)
    const routes = ROUTES.filter(({ pattern }) => pattern.test(path))
    const route = routes.find(({ command }) => command.method === method)
    if (routes.length === 0) throw new CodedError('unknown_path')
    if (!route) return notAllowed(routes.map(({ command }) => command.method))
    const { command, pattern } = route
    const query = parametersOf(url.searchParams, command)
    const inPath = parametersOf(Object.entries(pattern.exec(path)?.groups ?? {}), command)
    const key = request.headers.get('Idempotency-Key') || undefined
    if (command.takesFile) return holder.run(command, { ...query, ...inPath }, key, request)
    if (!command.isWrite) {
      const answer = await holder.run(command, { ...query, ...inPath })
      return command.givesFile ? fileResponse(answer as unknown as StoredFile) : answer
    }
    const body = await readObject(request).catch(async (error: unknown) => {
      // Say first that the token is wrong.
      await holder.require(command)
      throw error
    })
    return holder.run(command, { ...query, ...body, ...inPath }, key)
  })
}

async function readObject(request: Request): Promise<object> {
  const body = (await readJson(request)) ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new CodedError('invalid_input')
  return body
}

const notAllowed = (methods: Command['method'][]) =>
  errorAnswer('method_not_allowed', {}, { Allow: methods.flatMap(withHead).join(', ') })
const withHead = (method: Command['method']) => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** Returns parameters, with numbers where the command takes numbers. A flag may stand alone, as in `?thumbnail`. */
const parametersOf = (entries: Iterable<[string, string]>, { Input }: Command) =>
  Object.fromEntries(
    Array.from(entries, ([name, text]) => {
      const type = typeOf(Input.entries[name])
      if (type === 'boolean' && /^(?:true|false|)$/.test(text)) return [name, text !== 'false']
      return [name, type === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text]
    }),
  )

const typeOf = (schema?: GenericSchema & { wrapped?: GenericSchema }) => (schema?.wrapped ?? schema)?.type
