import ical, { ICalEventTransparency } from 'ical-generator'
import { addDays, type ForecastTask, type RideDays, withForecasts } from '../_shared/task-forecasts.ts'
import type { Task } from '../_shared/service-tasks.ts'

/** What the feed is made of, as the SQL function `calendar_feed` returns it. */
export interface FeedData {
  tasks: Task[]
  rides: RideDays
  /** Names by id. */
  bikes: Record<string, string>
  /** By task id: the day on which a task that is due reached its limit, YYYY-MM-DD. */
  due_since: Record<string, string | null>
}

/** Which version of the feed this is. */
export interface Stamp {
  revision: number
  changed_at: string
}

export interface FeedEvent {
  id: number
  /** YYYY-MM-DD. */
  day: string
  summary: string
  description: string
}

const REFRESH_SECONDS = 6 * 3600

/** An event for each task that has a date, on its likely date, or on the day on which it became due. */
export function feedEvents(data: FeedData): FeedEvent[] {
  return withForecasts(data.tasks, data.rides)
    .toSorted((a, b) => a.id - b.id)
    .flatMap((task) => {
      const day = dayOf(task, data)
      if (day === null || task.state === 'paused') return []
      const bike = data.bikes[task.gear_id] ?? ''
      const description = [bike, usageText(task), whenText(task, data)].join('\n')
      const summary = `${task.name}: ${task.item_name ?? bike}`
      return { id: task.id, day, summary: printable(summary), description: printable(description) }
    })
}

function dayOf({ id, fraction, snoozed_until, forecast }: ForecastTask, data: FeedData): string | null {
  if (fraction >= 1) return snoozed_until ?? data.due_since[id] ?? data.rides.today
  return forecast?.likely ?? null
}

/** The feed as iCalendar text. */
export function formatFeed(events: readonly FeedEvent[], { revision, changed_at }: Stamp): string {
  const calendar = ical({
    name: 'Bike maintenance',
    prodId: { company: 'RWGPS Maintenance Tracker', product: 'Service', language: 'EN' },
    ttl: REFRESH_SECONDS,
  })
  for (const { id, day, summary, description } of events) {
    calendar.createEvent({
      id: `service-task-${id}@rwgps-maintenance-tracker`,
      start: new Date(`${day}T00:00:00Z`),
      end: new Date(`${addDays(day, 1)}T00:00:00Z`),
      timezone: 'UTC',
      allDay: true,
      summary,
      description,
      transparency: ICalEventTransparency.TRANSPARENT,
      stamp: new Date(changed_at),
      sequence: revision,
    })
  }
  return calendar.toString()
}

const number = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const limitText = (used: number, limit: number | null, unit: string, scale: number) =>
  limit === null ? [] : `${number.format(used / scale)} of ${number.format(limit / scale)} ${unit}`

/** `Used: 268.3 of 300.0 mi, 12 of 30 days`. */
function usageText({ used, every }: Task): string {
  const limits = [
    limitText(used.distance, every.distance, 'mi', 1609),
    limitText(used.moving_time, every.moving_time, 'hours', 3600),
    every.days === null ? [] : `${used.days} of ${every.days} days`,
  ].flat()
  return `Used: ${limits.join(', ')}`
}

function whenText(task: ForecastTask, data: FeedData): string {
  const since = data.due_since[task.id]
  if (task.fraction >= 1) {
    const due = since ? `Due since ${longDate(since)}` : 'Due'
    return task.snoozed_until ? `${due}, snoozed until ${longDate(task.snoozed_until)}` : due
  }
  const { early, likely, late } = task.forecast!
  if (early === null || late === null) return `Due about ${longDate(likely)}`
  return early === late
    ? `Due ${longDate(likely)}`
    : `Likely due between ${longDate(early)} and ${longDate(late)}`
}

const longDate = (date: string) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })

/** Without control characters, which iCalendar doesn't allow. Line ends stay. */
const printable = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '')
