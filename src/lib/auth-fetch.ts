import { isGatewayFailure, noteRetryAfter } from './errors.ts'
import { fetchFirst } from './first-reads.ts'

/** `unanswered`: the backend couldn't be reached. */
export type RequestOutcome = 'answered' | 'unanswered'

/** Wraps fetch and reports the outcome of each request with its path. */
export function observedFetch(report: (outcome: RequestOutcome, path: string) => void): typeof fetch {
  return async (input, init) => {
    const url = urlOf(input)
    const { pathname } = url
    try {
      const response = await fetchFirst(input, init)
      const { status } = response
      noteRetryAfter(response)
      const isUnanswered = isRefresh(url) ? isServerFailure(status) : isGatewayFailure(status)
      report(isUnanswered ? 'unanswered' : 'answered', pathname)
      return response
    } catch (cause) {
      const isUnwanted = init?.signal?.aborted && !isTimeout(init.signal.reason)
      if (!isUnwanted) report('unanswered', pathname)
      throw cause
    }
  }
}

const isTimeout = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'

export function urlOf(input: Parameters<typeof fetch>[0]): URL {
  return new URL(input instanceof Request ? input.url : input)
}

export function isRefresh({ pathname, searchParams }: URL): boolean {
  return pathname.endsWith('/auth/v1/token') && searchParams.get('grant_type') === 'refresh_token'
}

export const isServerFailure = (status: number) => status >= 500

type Owner = {
  publishableKey: string
  /** Resolves to the access token, null without a session. */
  token: () => Promise<string | null>
  /** Resolves to a token to use instead of a rejected one, or null. */
  renew: (rejected: string | null) => Promise<string | null>
}

/** Wraps fetch to send requests as the owner. Repeats a request once if its access token was rejected. */
export function ownersFetch(send: typeof fetch, { publishableKey, token, renew }: Owner): typeof fetch {
  return async (input, init) => {
    const sendWith = (access: string | null) => {
      const headers = new Headers(init?.headers)
      headers.set('apikey', publishableKey)
      if (access !== null) headers.set('Authorization', `Bearer ${access}`)
      return send(input, { ...init, headers })
    }
    const current = await token()
    const response = await sendWith(current)
    if (response.status !== 401) return response
    const renewed = await renew(current)
    return renewed === null ? response : sendWith(renewed)
  }
}
