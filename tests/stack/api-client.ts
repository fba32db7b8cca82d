import { WEBP } from '../../supabase/functions/_shared/files/testing.ts'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { type OwnerClient, signIn } from '../owner.ts'
import { startSample } from '../postgres.ts'

export interface Reply {
  status: number
  // eslint-disable-next-line typescript/no-explicit-any -- each test knows the answer
  body: any
  headers: Headers
}

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

export interface ApiClient {
  url: string
  owner: OwnerClient
  /** Tokens. */
  reader: string
  writer: string
  create(scope: 'read' | 'read and write'): Promise<string>
  /** Sends a request, by default with a token that may write. */
  call(path: string, init?: Init, token?: string): Promise<Reply>
  send(
    method: string,
    path: string,
    body?: object,
    options?: { token?: string; key?: string },
  ): Promise<Reply>
  stop(): Promise<unknown>
}

/** Adds a picture to an entry, and returns its id. */
export async function addPicture(url: string, token: string, entry: number): Promise<number> {
  const response = await fetch(`${url}/functions/v1/api/v1/log/${entry}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new Blob([WEBP]),
  })
  return ((await response.json()) as { file_id: number }).file_id
}

/** Starts a tracker with the sample data, and creates tokens for its API. */
export async function startApi(): Promise<ApiClient> {
  const tracker = await startSample()
  const owner = await signIn(tracker.url)
  async function create(scope: 'read' | 'read and write'): Promise<string> {
    const token = createToken()
    await owner.rpc('create_token', { token, name: 'Test', scope, days: 90 }).throwOnError()
    return token
  }
  const [reader, writer] = [await create('read'), await create('read and write')]
  async function call(path: string, init: Init = {}, token = writer): Promise<Reply> {
    const headers = { authorization: `Bearer ${token}`, ...init.headers }
    const response = await fetch(`${tracker.url}/functions/v1/api${path}`, { ...init, headers })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
  }
  return {
    url: tracker.url,
    owner,
    reader,
    writer,
    create,
    call,
    send: (method, path, body, { token, key } = {}) =>
      call(
        path,
        {
          method,
          ...(body && { body: JSON.stringify(body) }),
          headers: key ? { 'idempotency-key': key } : {},
        },
        token,
      ),
    stop: () => tracker.stop(),
  }
}
