import { TYPES } from '../../../../supabase/functions/_shared/limits.ts'
import type { Timeline } from '../../../../supabase/functions/maintenance-use/contract.ts'
import { addDays, type Day, dayOf } from '../../../lib/days.ts'
import { monthName } from '../../../lib/formats.ts'
import { isWork, type Item } from '../../entries/fields.ts'
import { likeness, nameKey } from '../../entries/part-names.ts'

/** Returns the days since 1970-01-01. */
export const dayNumber = (day: Day): number => Date.parse(day) / 86_400_000

export const dayAt = (number: number): Day => addDays('1970-01-01', number)

const startOf = (item: Item) => dayOf(item.dateStarted)
const endOf = ({ dateEnded }: Item) => (dateEnded === null ? null : dayOf(dateEnded))

/** Items that follow each other in one place, such as one chain after another. They never overlap. */
export type Lane = { type: Item['type']; items: Item[] }

type OpenLane = Lane & { end: Day; names: Set<string> }

/** Groups parts into lanes, ordered by type, then by first start. */
export function toLanes(items: readonly Item[]): Lane[] {
  const byType = Map.groupBy(
    items.filter((item) => !isWork(item)),
    ({ type }) => type,
  )
  return [...TYPES, null].flatMap((type) => {
    const lanes: OpenLane[] = []
    const byStart = Map.groupBy(byType.get(type) ?? [], startOf)
    for (const start of [...byStart.keys()].toSorted()) place(byStart.get(start) ?? [], start, lanes)
    // Puts overlapping parts with the same name next to each other.
    return [...Map.groupBy(lanes, ({ items }) => items[0] && nameKey(items[0].name)).values()]
      .flat()
      .map(({ type, items }) => ({ type, items }))
  })
}

/** Adds items that start on the same day, best matches first. An item that doesn't follow another opens a lane. */
function place(items: readonly Item[], start: Day, lanes: OpenLane[]): void {
  const ended = lanes.filter(({ end }) => end === start)
  const isOnly = items.length === 1 && ended.length === 1
  const matches = items.flatMap((item) =>
    lanes
      .filter(({ end }) => end <= start)
      .map((lane) => ({ item, lane, score: scoreOf(item, lane, start, isOnly) }))
      .filter(({ score }) => score > 0),
  )
  const placed = new Set<unknown>()
  for (const { item, lane } of matches.toSorted((a, b) => b.score - a.score)) {
    if (placed.has(item) || placed.has(lane)) continue
    placed.add(item).add(lane)
    add(item, lane)
  }
  for (const item of items.filter((item) => !placed.has(item))) {
    lanes.push(add(item, { type: item.type, items: [], end: start, names: new Set<string>() }))
  }
}

function add(item: Item, lane: OpenLane): OpenLane {
  lane.items.push(item)
  lane.end = endOf(item) ?? '9999-12-31'
  lane.names.add(nameKey(item.name))
  return lane
}

/**
 * Rates how well an item continues a lane. Items with the same name always do. Other items do if they start on the day when the
 * lane ends and share a word with its last item, or if nothing else starts or ends on that day.
 */
function scoreOf(item: Item, lane: OpenLane, start: Day, isOnly: boolean): number {
  const same = lane.names.has(nameKey(item.name)) ? 2 : 0
  if (lane.end !== start) return same
  const alike = likeness(item.name, lane.items.at(-1)?.name ?? '')
  return alike > 0 || same > 0 || isOnly ? 1 + same + alike : 0
}

/** The shown days. `to` is exclusive. */
export type Axis = { from: number; to: number }

/** Returns the axis of a year, or from the first ride or start to today or the last planned start. */
export function axisOf(
  items: readonly Item[],
  months: readonly { month: string }[],
  today: Day,
  year: string,
): Axis {
  if (year !== '')
    return { from: dayNumber(`${year}-01-01`), to: dayNumber(`${Number(year) + 1}-01-01` as Day) }
  const starts = items.map(startOf)
  const known = [...starts, ...months.map(({ month }) => `${month}-01` as Day), today].toSorted()
  const [first, last] = [known[0] ?? today, known.at(-1) ?? today]
  const span = dayNumber(last) - dayNumber(first)
  // The margin after today shows which bars end there.
  return { from: dayNumber(`${first.slice(0, 7)}-01` as Day), to: dayNumber(last) + Math.max(7, span * 0.02) }
}

export function yearsOf(items: readonly Item[], months: readonly { month: string }[], today: Day): string[] {
  const known = [...items.map(({ dateStarted }) => dateStarted), ...months.map(({ month }) => month), today]
  const years = known.map((day) => Number(day.slice(0, 4)))
  const [first, last] = [Math.min(...years), Math.max(...years)]
  return Array.from({ length: last - first + 1 }, (_, n) => String(last - n))
}

/** Returns a day's position as a share of the axis, below 0 or above 1 for days outside it. */
export const positionOf = (day: number, { from, to }: Axis): number => (day - from) / (to - from)

export const percent = (part: number) => `${part * 100}%`

export const styleAt = (day: number, axis: Axis) => ({ insetInlineStart: percent(positionOf(day, axis)) })

export type Place = { start: number; width: number; startsBefore: boolean; endsAfter: boolean }

/** Returns the visible part of an item's bar, or null. Bars of items in use end today; bars of planned items end with the axis. */
export function placeOf(item: Item, axis: Axis, today: Day): Place | null {
  const from = dayNumber(startOf(item))
  const now = dayNumber(today) + 1
  const end = endOf(item)
  const to = end === null ? (from < now ? now : axis.to) : dayNumber(end)
  const [first, last] = [Math.max(from, axis.from), Math.min(to, axis.to)]
  // A part that was installed for less than a day has a bar without width.
  if (first > last || (first === last && (from < to || from === axis.to))) return null
  const start = positionOf(first, axis)
  return {
    start,
    width: positionOf(last, axis) - start,
    startsBefore: from < axis.from,
    endsAfter: to > axis.to,
  }
}

export type Tick = { day: number; label: string; isYear: boolean }

const STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240]

export function ticksOf({ from, to }: Axis, maxTicks: number): Tick[] {
  const [first, last] = [monthIndex(dayAt(from)), monthIndex(dayAt(to - 1))]
  const step = STEPS.find((step) => (last - first + 1) / step <= maxTicks) ?? 480
  const ticks: Tick[] = []
  for (let month = Math.ceil(first / step) * step; month <= last; month += step) {
    const [year, index] = [Math.floor(month / 12), month % 12]
    const isYear = index === 0
    const day = `${year}-${String(index + 1).padStart(2, '0')}-01` as Day
    ticks.push({ day: dayNumber(day), label: isYear ? String(year) : monthName(day), isYear })
  }
  return ticks
}

const monthIndex = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

/** Returns the first day of a month and of the next month. */
export function monthSpan(month: string): [number, number] {
  const first = `${month}-01` as Day
  return [dayNumber(first), dayNumber(`${addDays(first, 31).slice(0, 7)}-01` as Day)]
}

export type Month = Timeline['months'][number]

/** Work or a service event. `itemId` is null for a bike's task. */
export type Service = { day: Day; name: string; itemId: number | null }

/** Joins marks that are closer than `gap` days, so each can be read and pressed. */
export function toClusters(services: readonly Service[], axis: Axis, gap: number): Service[][] {
  const clusters: Service[][] = []
  const shown = services.filter(({ day }) => dayNumber(day) >= axis.from && dayNumber(day) < axis.to)
  for (const service of shown.toSorted((a, b) => a.day.localeCompare(b.day))) {
    const last = clusters.at(-1)
    if (last?.[0] && dayNumber(service.day) - dayNumber(last[0].day) < gap) last.push(service)
    else clusters.push([service])
  }
  return clusters
}
