import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createSampleAccount } from './account.ts'

export { createSampleAccount, SAMPLE_CREDENTIALS } from './account.ts'

interface Options {
  /** 0 picks a free port. */
  port?: number
  host?: string
  /** Answers requests; by default, a new sample account does. */
  fetch?: (request: Request) => Promise<Response> | Response
}

/** Serves a sample account over HTTP. Rejects if the port is taken. `close` also ends open connections. */
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
