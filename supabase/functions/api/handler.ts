import type { Access } from '../_shared/commands/access.ts'
import type { Command } from '../_shared/commands/command.ts'
import { COMMANDS } from '../_shared/commands/index.ts'
import { CodedError } from '../_shared/errors.ts'
import { createHandler, errorAnswer, type Handler, type Method, readJson } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import { describeApi } from './openapi.ts'

interface Route {
  method: Method
  pattern: RegExp
  command: Command
}

export const methodOf = ({ isWrite }: Command): Method => (isWrite ? 'POST' : 'GET')

const ROUTES = COMMANDS.flatMap((command): Route[] =>
  command.path === null
    ? []
    : [
        {
          method: methodOf(command),
          pattern: new RegExp(`^${command.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
          command,
        },
      ],
)

/** Serves the commands that have a path. Without CORS headers, because web pages of other origins must not hold a token. */
export function createApi({ access, log }: { access: Access; log: Log }): Handler {
  return createHandler(log, async (request) => {
    const url = new URL(request.url)
    // Hosted functions get the path without /functions/v1.
    const path = url.pathname.replace(/^(\/functions\/v1)?\/api/, '')
    if (path === '/openapi.json') {
      return request.method === 'GET' ? describeApi() : notAllowed('GET')
    }
    const holder = access.open(request)
    const route = ROUTES.find(({ pattern }) => pattern.test(path))
    if (!route) throw new CodedError('unknown_path')
    if (request.method !== route.method) return notAllowed(route.method)
    const { command, pattern } = route
    const query = parametersOf(url.searchParams)
    const inPath = parametersOf(Object.entries(pattern.exec(path)?.groups ?? {}))
    if (!command.isWrite) return holder.run(command, { ...query, ...inPath })
    const body = await readObject(request).catch(async (error: unknown) => {
      // Say first that the token is wrong.
      await holder.require(command)
      throw error
    })
    return holder.run(
      command,
      { ...query, ...body, ...inPath },
      request.headers.get('Idempotency-Key') || undefined,
    )
  })
}

async function readObject(request: Request): Promise<object> {
  const body = (await readJson(request)) ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new CodedError('invalid_input')
  return body
}

const notAllowed = (method: Method) => errorAnswer('method_not_allowed', {}, { Allow: method })

/** Returns parameters with numbers as numbers. */
const parametersOf = (entries: Iterable<[string, string]>) =>
  Object.fromEntries(
    Array.from(entries, ([name, text]) => [name, /^\d{1,15}$/.test(text) ? Number(text) : text]),
  )
