import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createSampleAccount } from './account.ts'

export { type Credentials, createSampleAccount, SAMPLE_CREDENTIALS, type SampleAccount } from './account.ts'

interface Options {
  /** 0: any free one. */
  port?: number
  host?: string
  fetch?: (request: Request) => Promise<Response> | Response
}

/**
 * Serves a sample account over HTTP; `fetch` is a fresh account's unless given. Rejects when the port cannot be had.
 * `close` ends open connections too.
 */
export async function startSampleServer({
  port = 0,
  host = '127.0.0.1',
  fetch = createSampleAccount().fetch,
}: Options = {}): Promise<{ url: string; close(): Promise<void> }> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
