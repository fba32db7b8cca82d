import type { Sql } from 'postgres'
import { expect } from 'vitest'

/** Answers by what was asked. */
export type Answers = Record<
  string,
  {
    answer: unknown
    /** What the answer depends on: what a part or an item is, or what the parts of a bike are. */
    kind?: 'part' | 'item' | 'replaced or checked'
    id: number
    bike: number
  }
>

// oxlint-disable-next-line typescript/no-explicit-any -- two versions' answers have no common type
type Json = Record<string, any>

const DAYS = ['2022-03-01', '2023-09-15', '2025-06-30']

/** Asks everything that version 1.0 and later versions answer. What a part or an item is has an answer of its own. */
export function answersOf(sql: Sql, owner: string): Promise<Answers> {
  return sql.begin(async (session) => {
    await session`select set_config('request.jwt.claim.sub', ${owner}, true)`
    const ask = async (call: string, of = '(select 0 as id) as once') =>
      (await session.unsafe(`select id::integer, public.${call} as answer from ${of} order by 1`)) as Json[]
    const answers: Answers = {}
    const add = (
      question: string,
      answer: unknown,
      { id = 0, bike = 0, ...of }: Partial<Answers[string]> = {},
    ) => {
      answers[question] = { answer, id, bike, ...of }
    }

    for (const call of ['spending()', 'garage()', 'stored_parts()', 'ride_days(90)', 'trash()'])
      add(call, (await ask(call))[0]!.answer)
    for (const task of (await ask('service_due()'))[0]!.answer.tasks)
      add(`service_due: task ${task.id}`, task)
    for (const name of ['part_history', 'part_wear', 'service_history'])
      for (const { id, answer } of await ask(`${name}(id)`, 'public.parts')) add(`${name}(${id})`, answer)

    const bikes = '(select gear_id as id from public.bikes) as bike'
    for (const name of ['bike_timeline', 'log_items'])
      for (const { id, answer } of await ask(`${name}(id)`, bikes)) add(`${name}(${id})`, answer)
    for (const day of [null, ...DAYS]) {
      const use = `maintenance_use(id, ${day === null ? 'null' : `'${day}'`})`
      for (const { id, answer } of await ask(use, bikes)) addUse(`${use} of ${id}`, answer, day !== null)
    }
    addLifetimes((await ask('part_lifetimes()'))[0]!.answer)

    const items = '(select id, "bikeId" as bike, "dateStarted"::date as day from public.maintenance) as item'
    for (const { id, answer } of await ask(`replaced_parts(bike, day, array[id])`, items))
      add(`replaced_parts: item ${id}`, answer, { kind: 'replaced or checked', bike: bikeOf(id) })
    const [{ answer: check }] = (await ask('to_check()')) as [Json]
    expect(check.left_out).toBe(0)
    for (const line of check.lines)
      if (isFormer(line))
        add(`to_check: ${line.key}`, line, { kind: 'replaced or checked', bike: line.gear_id })
    return answers

    function addUse(question: string, { parts, items, ...use }: Json, isOfDay: boolean) {
      add(question, use)
      // Version 1.0 counted one day too many.
      for (const { days, ...item } of items)
        add(`${question}: item ${item.id}`, isOfDay ? item : { days, ...item })
      for (const { kind, ...part } of parts) {
        add(`${question}: part ${part.part_id}`, part)
        add(`${question}: what part ${part.part_id} is`, familyOf(kind), { kind: 'part', id: part.part_id })
      }
    }

    function addLifetimes({ parts, items }: Json) {
      const kinds = new Map(rowsOf(parts).map(({ part_id, kind }) => [part_id, kind]))
      for (const { kind: _, ...part } of rowsOf(parts)) add(`part_lifetimes: part ${part.part_id}`, part)
      for (const { kind, position, ...item } of rowsOf(items)) {
        add(`part_lifetimes: item ${item.id}`, item)
        const place = 'position' in items ? placeOf(kinds.get(item.part_id), position) : kind
        add(`part_lifetimes: what item ${item.id} is`, place, {
          kind: 'item',
          id: item.id,
          bike: item.gear_id,
        })
      }
    }

    function bikeOf(item: number): number {
      return answers[`part_lifetimes: what item ${item} is`]!.bike
    }
  })
}

/** What version 1.0 didn't check. */
const LATER = new Set(['no_kind', 'gone_log', 'sold_bike'])
const isFormer = ({ kind, apart = null }: Json) => !LATER.has(kind) && apart === null

/** Converts columns to rows. */
const rowsOf = (columns: Json): Json[] =>
  Object.values(columns)[0].map((_: unknown, index: number) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[index]])),
  )

const PAIRS: Json = { tires: 'tire', wheels: 'wheel', 'front and rear brake pads': 'brake pads' }

/** Returns a kind without its end: `tire` for `front tire`. */
const familyOf = (kind: string | null) => kind && (PAIRS[kind] ?? kind.replace(/^(front|rear) /, ''))

/** Names a kind with its end as version 1.0 did. */
function placeOf(kind: string | null, position: string | null) {
  if (kind === null || position === null) return kind
  return position === 'both' ? Object.keys(PAIRS).find((pair) => PAIRS[pair] === kind) : `${position} ${kind}`
}

/** Returns what a value says of what was said before. Later versions say more. */
export function narrow(value: unknown, before: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(before) && value.length === before.length)
    return value.map((one, index) => narrow(one, before[index]))
  if (Array.isArray(value) || Array.isArray(before) || !isObject(value) || !isObject(before)) return value
  return Object.fromEntries(Object.keys(before).map((key) => [key, narrow(value[key], before[key])]))
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
