import ical, { ICalEventTransparency } from 'ical-generator'
import { AXIS_KEYS } from '../_shared/axes.ts'
import type { Day } from '../_shared/contracts/fields.ts'
import type { ForecastLimit, ForecastTask } from '../_shared/contracts/service-tasks.ts'
import { addDays } from '../_shared/formats/days.ts'
import { type Formats, formatsFor } from '../_shared/formats/formats.ts'
import { DEFAULT_SETTINGS } from '../_shared/formats/settings.ts'
import { isWaiting, withForecasts, withLikelyDays } from '../_shared/service/task-forecasts.ts'
import { nameKey } from '../_shared/parts/part-names.ts'
import { countParts, linesOf, type TaskLine } from '../_shared/messages/task-lines.ts'
import { limitName, limitSource } from '../_shared/messages/wear-limits.ts'
import { usageText } from '../_shared/service/task-usage.ts'
import type { FeedData, Stamps } from './contract.ts'

export interface FeedEvent {
  /** Of a task or group, or of the limit of a part. */
  id: number | string
  day: Day
  summary: string
  description: string
  /** Undefined if the address of the client is unknown. */
  url: string | undefined
}

const REFRESH_SECONDS = 6 * 3600

/** Creates an event for each task, group or wear limit with a date, on its likely date or on the day it became due. */
export function feedEvents(data: FeedData, trackerUrl?: string): FeedEvent[] {
  const formats = formatsFor(data.settings ?? DEFAULT_SETTINGS)
  // A task that waits for another one is done with that, so it has no event of its own.
  const shown = withForecasts(data.tasks, data.rides).filter(
    (task) => dayOf(task, data) !== null && !isWaiting(task),
  )
  const limits = withLikelyDays(data.limits, data.rides).flatMap(
    (limit) => limitEvent(limit, data, formats, trackerUrl) ?? [],
  )
  return (
    [...linesOf(shown).map((line) => eventOf(line, data, formats, trackerUrl)), ...limits]
      // Calendars sort by day. An order that changes with the rides would be a new version of the feed.
      .toSorted((a, b) => `${a.id}`.localeCompare(`${b.id}`, 'en', { numeric: true }))
  )
}

function limitEvent(
  limit: ForecastLimit,
  data: FeedData,
  formats: Formats,
  trackerUrl?: string,
): FeedEvent | null {
  const { part_id, unit, due_since, forecast, fraction } = limit
  const day = fraction >= 1 ? (due_since ?? data.rides.today) : forecast?.likely
  if (day === undefined) return null
  const bike = data.bikes[limit.gear_id] ?? ''
  const when = fraction >= 1 ? `Due since ${formats.longDay(day)}` : `Due about ${formats.longDay(day)}`
  return {
    id: `limit-${part_id}-${nameKey(unit)}`,
    day,
    summary: printable(`${limitName(limit)}: ${limit.item_name}`),
    description: printable([bike, limitSource(limit, formats), when].join('\n')),
    url: trackerUrl && `${trackerUrl}/#bike=${limit.gear_id}&item=${limit.item_id}`,
  }
}

function eventOf(
  { task, others }: TaskLine<ForecastTask>,
  data: FeedData,
  formats: Formats,
  trackerUrl?: string,
): FeedEvent {
  const all = [task, ...others]
  const bikes = [...new Set(all.map(({ gear_id }) => data.bikes[gear_id] ?? ''))].toSorted().join(', ')
  const description = [bikes, usedText(task, formats), whenText(task, data, formats)].join('\n')
  const summary = `${task.name}: ${others.length > 0 ? countParts(all) : (task.item_name ?? bikes)}`
  return {
    id: task.group ?? task.id,
    day: dayOf(task, data)!,
    summary: printable(summary),
    description: printable(description),
    // Some clients show only one of two events that have the same content.
    url: trackerUrl && `${trackerUrl}/#bike=${task.gear_id}&task=${task.id}`,
  }
}

function dayOf({ id, state, fraction, snoozed_until, forecast }: ForecastTask, data: FeedData): Day | null {
  if (state === 'paused') return null
  if (fraction >= 1) return snoozed_until ?? data.due_since[id] ?? data.rides.today
  return forecast?.likely ?? null
}

export function formatFeed(events: readonly FeedEvent[], stamps: Stamps): string {
  const calendar = ical({
    name: 'Bike maintenance',
    prodId: { company: 'RWGPS Maintenance Tracker', product: 'Service', language: 'EN' },
    ttl: REFRESH_SECONDS,
  })
  const byId = new Map(Object.entries(stamps))
  for (const { id, day, summary, description, url } of events) {
    const { revision, changed_at } = byId.get(`${id}`)!
    calendar.createEvent({
      id: `${typeof id === 'number' ? `service-task-${id}` : id}@rwgps-maintenance-tracker`,
      start: new Date(`${day}T00:00:00Z`),
      end: new Date(`${addDays(day, 1)}T00:00:00Z`),
      timezone: 'UTC',
      allDay: true,
      summary,
      description,
      transparency: ICalEventTransparency.TRANSPARENT,
      stamp: new Date(changed_at),
      sequence: revision,
      url: url ?? null,
    })
  }
  // A calendar needs a component (RFC 5545), and some clients refuse one without.
  const text = events.length > 0 ? calendar.toString() : calendar.toString().replace(/(?=END:VCALENDAR)/, UTC)
  return `${text}\r\n`
}

const UTC = `BEGIN:VTIMEZONE
TZID:Etc/UTC
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0000
END:STANDARD
END:VTIMEZONE
`.replaceAll('\n', '\r\n')

/** Returns, for example, `Used: 268.3 of 300.0 mi, 12 of 30 days` or `Once, by 11/30/2026`. */
function usedText(task: ForecastTask, formats: Formats): string {
  const limits = AXIS_KEYS.map((axis) => usageText(task, axis, formats)).filter((text) => text !== null)
  return `${task.due_on === null ? 'Used:' : 'Once,'} ${limits.join(', ')}`
}

function whenText(task: ForecastTask, data: FeedData, { longDay }: Formats): string {
  const since = data.due_since[task.id]
  if (task.fraction >= 1) {
    const due = since ? `Due since ${longDay(since)}` : 'Due'
    return task.snoozed_until ? `${due}, snoozed until ${longDay(task.snoozed_until)}` : due
  }
  const { early, likely, late } = task.forecast!
  if (early === null || late === null) return `Due about ${longDay(likely)}`
  return early === late
    ? `Due ${longDay(likely)}`
    : `Likely due between ${longDay(early)} and ${longDay(late)}`
}

/** Removes control characters, which iCalendar doesn't allow, except newlines and tabs. */
const printable = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '')
