import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { accepts } from 'hono/accepts'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress'

const MIN_BYTES = 1024

/**
 * Compresses responses of 1 kB or more. Hono's own middleware also compresses shorter ones, unless they state their length, and
 * no response with the status 206, which the data API sends with a page of a counted list.
 */
export const compress: MiddlewareHandler = async (context, next) => {
  await next()
  const { req, res } = context
  const { status } = res
  // Copy the headers first, because Hono's server drops changed headers when a body is read.
  const headers = new Headers(res.headers)
  if (req.method === 'HEAD' || !COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('content-type') ?? ''))
    return
  headers.append('vary', 'Accept-Encoding')
  headers.delete('content-length')
  // A function may exit while it answers.
  const body = await res.arrayBuffer().catch(() => null)
  const supports = ['gzip', 'identity']
  const size = body?.byteLength ?? 0
  const isCompressed =
    body !== null &&
    size >= MIN_BYTES &&
    accepts(context, { header: 'Accept-Encoding', supports, default: 'identity' }) === 'gzip'
  if (isCompressed) headers.set('content-encoding', 'gzip')
  // Otherwise, Hono adds the previous response's headers.
  context.res = undefined
  // A response with the status 204 may have no body, not even an empty one.
  context.res = new Response(isCompressed ? await promisify(gzip)(body) : size > 0 ? body : null, {
    status: body === null ? 502 : status,
    headers,
  })
}
