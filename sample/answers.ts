/** A JSON answer that no cache keeps, as the service sends them. */
export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'max-age=0, private' },
  })

export const notFound = (): Response => json({ error: 'Not found' }, 404)

/** What the service says to a wrong password, token or key. */
export const unauthorized = (): Response =>
  json(
    { error: 'Unable to authenticate, please provide a valid username/password, auth_token or a session' },
    401,
  )

export const forbidden = (): Response => json({ error: 'Forbidden' }, 403)

/** A picture that never changes. */
export const png = (bytes: Buffer<ArrayBuffer>): Response =>
  new Response(bytes, {
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400, immutable' },
  })

export const html = (page: string): Response =>
  new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
    },
  })
