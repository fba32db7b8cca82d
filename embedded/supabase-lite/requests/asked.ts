import { type Preferences, readAccept, readPreferences } from './preferences.ts'
import type { Parameter } from './query.ts'
import { onlyHosted, Refusal } from './refusal.ts'

/** A request before its names are known. */
export interface Asked {
  url: URL
  method: string
  /** The table or function. */
  name: string
  isCall: boolean
  parameters: Parameter[]
  preferences: Preferences
  accept: string
  /** JSON text, or an empty text. */
  body: string
}

const METHODS = /^(?:GET|HEAD|POST|PATCH|DELETE)$/

export async function readAsked(request: Request): Promise<Asked> {
  const { method, headers } = request
  const url = new URL(request.url)
  const [, rpc, name] = /^\/rest\/v1\/(rpc\/)?(\w+)$/.exec(url.pathname) ?? []
  if (name === undefined) throw new Refusal('PGRST125', 'Invalid path specified in request URL', 404)
  checkMethod(method, rpc !== undefined)
  checkSchema(headers.get(/^(?:GET|HEAD)$/.test(method) ? 'accept-profile' : 'content-profile'))
  return {
    url,
    method,
    name,
    isCall: rpc !== undefined,
    parameters: [...url.searchParams, ...rangeOf(request, url)],
    preferences: readPreferences(headers.get('prefer') ?? ''),
    accept: readAccept(headers.get('accept') ?? '*/*'),
    body: /^(?:POST|PATCH)$/.test(method) ? await readBody(request) : '',
  }
}

function checkMethod(method: string, isCall: boolean): void {
  if (method === 'PUT' && !isCall) throw onlyHosted('PUT', 'PGRST127')
  if (isCall && /^(?:PUT|PATCH|DELETE)$/.test(method))
    throw new Refusal('PGRST101', `Cannot use the ${method} method on RPC`, 405)
  if (!METHODS.test(method)) throw new Refusal('PGRST117', `Unsupported HTTP method: ${method}`, 405)
}

function checkSchema(schema: string | null): void {
  if (schema !== null && schema !== 'public') throw new Refusal('PGRST106', `Invalid schema: ${schema}`, 406)
}

/** Returns the header `Range` as parameters. */
function rangeOf({ method, headers }: Request, { searchParams }: URL): Parameter[] {
  const range = /^(\d{1,15})-(\d{0,15})$/.exec(headers.get('range') ?? '')
  if (method !== 'GET' || !range) return []
  if (searchParams.has('limit') || searchParams.has('offset'))
    throw onlyHosted('"Range" with a limit or offset')
  const [first, last] = [Number(range[1]), range[2] === '' ? Infinity : Number(range[2])]
  if (first > last) throw new Refusal('PGRST103', 'Requested range not satisfiable', 416)
  const offset: Parameter = ['offset', `${first}`]
  return last === Infinity ? [offset] : [offset, ['limit', `${last - first + 1}`]]
}

async function readBody(request: Request): Promise<string> {
  const type = request.headers.get('content-type') ?? 'application/json'
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return ''
  if (!/^application\/json\s*(?:;|$)/i.test(type)) throw onlyHosted(`A body of the type ${type}`, 'PGRST102')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Refusal('PGRST102', 'Empty or invalid json')
  }
}
