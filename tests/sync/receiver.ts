import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listen } from './listen.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A status, or a redirect to a URL. */
type Reply = number | { location: string }

export interface Receiver {
  url: string
  received: Received[]
  /** Replies by path, 201 by default. */
  replies: Record<string, Reply>
  reset(): void
  close(): Promise<void>
}

/** Starts a server on loopback that records requests, like a push service, ntfy or a webhook. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const replies: Receiver['replies'] = {}
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = Buffer.concat(await Array.fromAsync(request))
    received.push({ path, headers: request.headers, body })
    const reply = replies[path] ?? 201
    if (typeof reply === 'number') response.writeHead(reply).end()
    else response.writeHead(307, reply).end()
  })
  return {
    ...(await listen(server)),
    received,
    replies,
    reset() {
      received.length = 0
      for (const path of Object.keys(replies)) delete replies[path]
    },
  }
}
