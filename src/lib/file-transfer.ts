// Files are sent and read as they are, so these requests don't go through supabase-js, which reads what it knows as text.
import type { Added } from '../../supabase/functions/files/contract.ts'
import type { Backend } from './backend.ts'
import { failureOf } from './functions.ts'
import { repeatIfLost } from './writes.ts'

export type Upload = {
  item_id: number
  name: string
  /** How many of the first bytes are the thumbnail. 0: none. */
  thumbnail: number
}

/** Without progress for so long, a request is given up. */
const STALLED_MS = 30_000

/**
 * Sends a file. The same key stores it once, so a lost answer is asked for again. `onProgress` gets the part that was sent, from 0
 * to 1. Throws an AppError.
 */
export function sendFile(
  backend: Backend,
  { item_id, name, thumbnail }: Upload,
  { key, body, onProgress }: { key: string; body: ArrayBuffer; onProgress?: (part: number) => void },
): Promise<Added> {
  const query = new URLSearchParams({ item_id: `${item_id}`, name, thumbnail: `${thumbnail}`, key })
  const send = reportingFetch(onProgress)
  return repeatIfLost(async () => {
    const response = await request(backend, query, send, { method: 'POST', body })
    return (await response.json()) as Added
  })
}

/** Reads what the function `files` answers to a query. Throws an AppError. */
export const readFile = (
  backend: Backend,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> => request(backend, new URLSearchParams(query), fetch, { signal })

async function request(
  { asOwner, config }: Backend,
  query: URLSearchParams,
  send: typeof fetch,
  init: RequestInit,
): Promise<Response> {
  const url = `${config.supabaseUrl}/functions/v1/files?${query}`
  const headers = init.body ? { 'Content-Type': 'application/octet-stream' } : {}
  const response = await asOwner(send)(url, { ...init, headers })
  if (!response.ok) throw await failureOf(response)
  return response
}

/** A fetch that reports what was sent. Only XMLHttpRequest tells, in every browser. */
function reportingFetch(onProgress?: (part: number) => void): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const sent = new XMLHttpRequest()
      const fail = () => reject(new TypeError('Failed to fetch'))
      sent.open('POST', input as string)
      for (const [name, value] of new Headers(init?.headers)) sent.setRequestHeader(name, value)
      let stalled: ReturnType<typeof setTimeout>
      const wait = () => {
        clearTimeout(stalled)
        stalled = setTimeout(() => sent.abort(), STALLED_MS)
      }
      sent.upload.addEventListener('progress', ({ loaded, total }) => {
        wait()
        onProgress?.(loaded / total)
      })
      sent.addEventListener('load', () => resolve(new Response(sent.responseText, { status: sent.status })))
      sent.addEventListener('error', fail)
      sent.addEventListener('abort', fail)
      sent.addEventListener('loadend', () => clearTimeout(stalled))
      sent.send(init?.body as ArrayBuffer)
      wait()
    })
}
