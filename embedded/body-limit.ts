/** The longest body of a caller without a session, and of any request to Auth or a function. */
export const MAX_BODY_BYTES = 64 * 2 ** 10

/** The length that a request announces; Infinity if it announces none. */
export const bodyLength = ({ headers }: Request) => Number(headers.get('content-length') ?? Infinity)

/** Whether requests of this method have no body. Browsers send OPTIONS without a key before a request to another origin. */
export const hasNoBody = ({ method }: Request) => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/**
 * Answers a request whose body may have `limit` bytes, and refuses a longer one. A body of unknown length fails at the limit
 * while `answer` reads it.
 */
export async function limitBody(
  request: Request,
  limit: number,
  answer: (request: Request) => Promise<Response>,
  refuse: () => Response,
): Promise<Response> {
  // Node.js reads only as much as announced. Looking at the body of a request would start to read it.
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
    // Read nothing ahead.
    { highWaterMark: 0 },
  )
  return { stream, isTooLong: () => left < 0 }
}
