import type { ServerResponse } from 'node:http'

export type Fault =
  /** Sends this response instead. */
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Sends this fraction of the JSON as a complete response. */
  | { truncatedTo: number }
  /** Closes the connection before the response. */
  | 'reset'
  /** Closes the connection during the response. */
  | 'cut'
  | 'hang'

/** Creates a fault with `Retry-After: 0`, so tests don't wait for the backoff. */
export const temporary = (status: number): Fault => ({ status, headers: { 'retry-after': '0' }, body: '{}' })

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

export function sendJson(response: ServerResponse, json: string): void {
  response.writeHead(200, JSON_TYPE).end(json)
}

export async function sendFault(response: ServerResponse, fault: Fault, json: string): Promise<void> {
  if (fault === 'hang') return
  if (fault === 'reset') return void response.socket?.resetAndDestroy()
  if (fault === 'cut') {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(json) })
    response.write(json.slice(0, json.length / 2), () => response.socket?.destroy())
    return
  }
  if ('truncatedTo' in fault) return sendJson(response, json.slice(0, json.length * fault.truncatedTo))
  response.writeHead(fault.status, fault.headers).end(fault.body)
}
