import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Proxies the stack at `url`. Adds CORS headers to Auth's responses, as a hosted project's gateway does, and answers the
 * preflights of SQL functions, which Supabase Lite doesn't.
 */
export async function startAuthGateway(url: string) {
  const server = createServer((request, response) => {
    const isPreflight = request.method === 'OPTIONS' && request.url!.startsWith('/rest/v1/rpc/')
    const cors =
      isPreflight || request.url!.startsWith('/auth/v1/')
        ? {
            'access-control-allow-origin': '*',
            'access-control-allow-methods': 'GET, POST, PUT, DELETE',
            'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
          }
        : {}
    if (isPreflight) {
      response.writeHead(204, cors).end()
      return
    }
    const { host: _, ...headers } = request.headers
    const forwarded = sendRequest(`${url}${request.url}`, { method: request.method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, { ...answer.headers, ...cors })
      answer.pipe(response)
    })
    // The tracker may stop before it answers a closed page's request.
    forwarded.once('error', () => response.destroy())
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}
