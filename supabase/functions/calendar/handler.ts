import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { CodedError } from '../_shared/http/errors.ts'
import { HISTORY_DAYS } from '../_shared/service/forecast.ts'
import { createEndpoint, type Handler } from '../_shared/http/http.ts'
import { createGuessLimit, type Dependencies } from '../_shared/http/token-endpoint.ts'
import { FeedData, Stamps } from './contract.ts'
import { feedEvents, formatFeed } from './feed.ts'

// Clients show the last part as the calendar's name. Older links end with the token.
const FILE = 'bike-maintenance.ics'
// The last preview made links with 43 characters.
const PATH = /\/calendar\/([\w-]{43,44})(?:\/bike-maintenance)?\.ics$/

/** Serves GET `/calendar/<token>/bike-maintenance.ics`, an iCalendar feed of likely service dates, to anyone with the token. */
export function createHandler({ query, now, log, trackerUrl }: Omit<Dependencies, 'sync'>): Handler {
  const isAllowed = createGuessLimit(now)
  return createEndpoint(
    log,
    async (request) => {
      const token = PATH.exec(new URL(request.url).pathname)?.[1]
      if (token === undefined) throw new CodedError('unknown_calendar')
      const data = await query('calendar_feed', v.nullable(FeedData), { token, days: HISTORY_DAYS })
      // Limit only wrong tokens, so guesses never block the real one.
      if (data === null) throw new CodedError(isAllowed() ? 'unknown_calendar' : 'too_many_requests')
      const events = feedEvents(data, trackerUrl)
      const content = JSON.stringify(
        Object.fromEntries(events.map((event) => [event.id, JSON.stringify(event)])),
      )
      const stamps = await query('stamp_calendar_feed', v.nullable(Stamps), { token, content })
      if (stamps === null) throw new CodedError('unknown_calendar')
      return answer(request, formatFeed(events, stamps))
    },
    ['GET'],
  )
}

function answer(request: Request, text: string): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  const tags = request.headers.get('If-None-Match') ?? ''
  const known = new Set(tags.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  if (known.has(etag) || known.has('*')) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `inline; filename="${FILE}"`,
    },
  })
}
