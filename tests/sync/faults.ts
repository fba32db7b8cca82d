import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'

/** A way to answer badly, as plain data. */
export type Fault =
  /** Another answer in place of the true one. */
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The true answer, well framed, but cut after so much of its JSON (0 to 1). */
  | { truncatedTo: number }
  /** The connection ends before any answer. */
  | 'reset'
  /** The connection ends in the middle of the answer. */
  | 'cut'
  /** No answer, and no end either. */
  | 'hang'
  /** The true answer, but only a byte every 20 ms. */
  | 'trickle'

/** A fault that says it may be tried again at once, so that a test does not wait for the back-off. */
export const passing = (status: number): Fault => ({ status, headers: { 'retry-after': '0' }, body: '{}' })

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Answers with JSON. */
export function answerWell(response: ServerResponse, json: string): void {
  response.writeHead(200, JSON_TYPE).end(json)
}

/** Answers with a fault where `json` would have been the true answer. */
export async function answerBadly(response: ServerResponse, fault: Fault, json: string): Promise<void> {
  if (fault === 'hang') return
  if (fault === 'reset') return void response.socket?.resetAndDestroy()
  if (fault === 'trickle') return trickle(response, json)
  if (fault === 'cut') {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(json) })
    response.write(json.slice(0, json.length / 2), () => response.socket?.destroy())
    return
  }
  if ('truncatedTo' in fault) return answerWell(response, json.slice(0, json.length * fault.truncatedTo))
  response.writeHead(fault.status, fault.headers).end(fault.body)
}

async function trickle(response: ServerResponse, json: string): Promise<void> {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(json) })
  for (const byte of Buffer.from(json)) {
    if (response.destroyed) return
    response.write(Uint8Array.of(byte))
    await sleep(20)
  }
}
