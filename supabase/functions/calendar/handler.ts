import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { CodedError } from '../_shared/http/errors.ts'
import { HISTORY_DAYS } from '../_shared/service/forecast.ts'
import { createEndpoint, type Handler } from '../_shared/http/http.ts'
import { createGuessLimit, type Dependencies } from '../_shared/http/token-endpoint.ts'
import { FeedData, Stamp } from './contract.ts'
import { feedEvents, formatFeed } from './feed.ts'

/** Serves GET `/calendar/<token>.ics`, an iCalendar feed of likely service dates, to anyone with the token. */
export function createHandler({ query, now, log }: Omit<Dependencies, 'sync'>): Handler {
  const isAllowed = createGuessLimit(now)
  return createEndpoint(
    log,
    async (request) => {
      // The last preview made links with 43 characters.
      const token = /\/calendar\/([\w-]{43,44})\.ics$/.exec(new URL(request.url).pathname)?.[1]
      if (token === undefined) throw new CodedError('unknown_calendar')
      const data = await query('calendar_feed', v.nullable(FeedData), { token, days: HISTORY_DAYS })
      // Limit only wrong tokens, so guesses never block the real one.
      if (data === null) throw new CodedError(isAllowed() ? 'unknown_calendar' : 'too_many_requests')
      const events = feedEvents(data)
      const content = JSON.stringify(events)
      const stamp = await query('stamp_calendar_feed', v.nullable(Stamp), { token, content })
      if (stamp === null) throw new CodedError('unknown_calendar')
      return answer(request, formatFeed(events, stamp))
    },
    'GET',
  )
}

function answer(request: Request, text: string): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  const tags = request.headers.get('If-None-Match') ?? ''
  const known = new Set(tags.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  if (known.has(etag) || known.has('*')) return new Response(null, { status: 304, headers })
  return new Response(text, {
    headers: {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="bike-maintenance.ics"',
    },
  })
}
