/** The maximum body size, in bytes, of requests without a session and of requests to Auth or the functions. */
export const MAX_BODY_BYTES = 64 * 2 ** 10

/** Returns a request's content length, or Infinity if the header is missing. */
export const bodyLength = ({ headers }: Request) => Number(headers.get('content-length') ?? Infinity)

export const hasNoBody = ({ method }: Request) => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** Answers a request, or refuses a body of more than `limit` bytes. If its length is unknown, `answer` fails at the limit. */
export async function limitBody(
  request: Request,
  limit: number,
  answer: (request: Request) => Promise<Response>,
  refuse: () => Response,
): Promise<Response> {
  // Node.js never reads past the content length, so checking it is enough. Accessing `request.body` would start reading the body.
  if (hasNoBody(request) || bodyLength(request) <= limit) return answer(request)
  if (bodyLength(request) < Infinity) return refuse()
  if (request.body === null) return answer(request)
  const limited = limitStream(request.body, limit)
  try {
    const response = await answer(
      new Request(request, { body: limited.stream, duplex: 'half' } as RequestInit),
    )
    return limited.isTooLong() ? refuse() : response
  } catch (error) {
    if (limited.isTooLong()) return refuse()
    throw error
  }
}

function limitStream(body: ReadableStream<Uint8Array>, limit: number) {
  const reader = body.getReader()
  let left = limit
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        left -= value.byteLength
        if (left < 0) controller.error(new Error('The request body is too large.'))
        else controller.enqueue(value)
      },
    },
    // Don't read ahead: a refused request's body isn't read. A TransformStream would read one chunk.
    { highWaterMark: 0 },
  )
  return { stream, isTooLong: () => left < 0 }
}
