import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Push {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface PushService {
  url: string
  received: Push[]
  /** The response status by path, 201 by default. */
  replies: Record<string, number>
  close(): Promise<void>
}

/** Starts a fake push service on loopback, for PUSH_BASE_URL. */
export async function startPushService(): Promise<PushService> {
  const received: Push[] = []
  const replies: PushService['replies'] = {}
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = Buffer.concat(await Array.fromAsync(request))
    received.push({ path, headers: request.headers, body })
    response.writeHead(replies[path] ?? 201).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    replies,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
