import * as v from 'valibot'
import { parseJson, readText } from './body.ts'
import { CodedError, codeOf, type ErrorCode, type ErrorDetails, ERRORS } from './errors.ts'
import { describeError, type Log } from './log.ts'

export type Handler = (request: Request) => Promise<Response>

export type Method = 'GET' | 'POST'

// Any origin may call: tokens aren't in cookies, so another site has none to send and gets a 401.
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, apikey, content-type, x-client-info',
  'Access-Control-Max-Age': '86400',
}

// Much larger than any valid body.
const MAX_BODY_BYTES = 16 * 1024

/**
 * Creates a handler that sends `respond`'s value as JSON, or its Response unchanged. Errors become `{code, message}`. A
 * CodedError keeps its code; any other error gets its SQLSTATE's code or `internal`, with details only in the log.
 */
export function createHandler(log: Log, respond: (request: Request) => Promise<unknown>): Handler {
  return async (request) => {
    // Says that the function runs. Browsers only continue if the answer has CORS headers.
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
    try {
      const answer = await respond(request)
      return answer instanceof Response ? answer : jsonResponse(200, answer)
    } catch (error) {
      return refuse(error, log)
    }
  }
}

/** Creates a handler like `createHandler` that allows these methods, and HEAD with GET, from any origin. */
export function createEndpoint(
  log: Log,
  respond: (request: Request) => Promise<unknown>,
  allowed: readonly Method[] = ['POST'],
): Handler {
  const methods = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const handle = createHandler(log, async (request) => {
    if (!methods.includes(request.method)) throw new CodedError('method_not_allowed')
    return respond(request)
  })
  return async (request) => {
    const answer = withCors(await handle(request))
    answer.headers.set('Access-Control-Allow-Methods', methods.join(', '))
    if (answer.status === ERRORS.method_not_allowed.status)
      answer.headers.set('Allow', [...methods, 'OPTIONS'].join(', '))
    return answer
  }
}

function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
  return response
}

/** Reads the JSON body; an empty body is undefined. Throws `too_large` above 16 kB, or `invalid_input`. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request.body, MAX_BODY_BYTES)
  if (text === null) throw new CodedError('too_large')
  const value = parseJson(text)
  if (value === undefined && text.trim() !== '') throw new CodedError('invalid_input')
  return value
}

/** Reads and validates the JSON body. Throws like `readJson`. */
export async function readInput<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const input = v.safeParse(schema, await readJson(request))
  if (!input.success) throw new CodedError('invalid_input')
  return input.output
}

const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': 'Bearer' },
  too_many_requests: { 'Retry-After': '60' },
}

export function errorAnswer(
  code: ErrorCode,
  details: ErrorDetails = {},
  headers: Record<string, string> = HEADERS[code] ?? {},
): Response {
  const { status = ERRORS[code].status, ...rest } = details
  return jsonResponse(status, { code, message: ERRORS[code].message, ...rest }, headers)
}

function refuse(error: unknown, log: Log): Response {
  if (!(error instanceof CodedError)) {
    log.error('unexpected_error', describeError(error))
    return errorAnswer(codeOf(error))
  }
  if (ERRORS[error.code].status >= 500) log.error('failed', { code: error.code })
  else log.info('refused', { code: error.code })
  return errorAnswer(error.code, error.details)
}

function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}
