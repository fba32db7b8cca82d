import * as v from 'valibot'
import type { Lifetime, PartTotals, UsedItem } from './contracts/lifetimes.ts'
import type { Task, WearLimit } from './contracts/service-tasks.ts'
import type { Contract, Respond } from './http/endpoint.ts'
import { lifetimesOf } from './parts/lifetimes.ts'
import { createLog, type Log } from './http/log.ts'
import type { Query } from './http/query.ts'

export function recordLog(secrets: readonly string[] = []): { log: Log; lines: string[] } {
  const lines: string[] = []
  const record = (line: string) => void lines.push(line)
  return { log: createLog('test', secrets, { info: record, error: record }), lines }
}

export function post(body?: string, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/functions/v1/any', { method: 'POST', headers, body: body ?? null })
}

/** Returns the status and code of an error response. Throws if the body has fields other than `code` and `message`. */
export async function errorOf(response: Response): Promise<[status: number, code: string]> {
  const body = (await response.json()) as Record<string, unknown>
  const { code, message, ...rest } = body
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(rest).length > 0) {
    throw new Error(`Not {code, message}: ${JSON.stringify(body)}`)
  }
  return [response.status, code]
}

export type SqlAnswers = Partial<Record<Parameters<Query>[0], (args: unknown) => unknown>>

/** Creates a query that calls fake SQL functions and throws if an answer doesn't match its schema. */
export function fakeQuery(answers: SqlAnswers): Query {
  return async (name, schema, ...[args]) => {
    const answer = answers[name]
    if (!answer) throw new Error(`No answer for ${name}`)
    return v.parse(schema, await answer(args))
  }
}

/** Calls an edge function with fake SQL functions. Throws if the input or answer breaks the contract. */
export async function callFunction<C extends Contract>(
  contract: C,
  respond: Respond<C>,
  input: unknown,
  answers: SqlAnswers,
): Promise<v.InferOutput<C['Answer']> | null> {
  return v.parse(
    v.nullable(contract.Answer),
    await respond(v.parse(contract.Input, input), fakeQuery(answers)),
  )
}

/** Creates a worn chain's item. If `until` is null, the chain is in use; if `until` equals `since`, the item is work. */
export function chainItem(facts: Partial<UsedItem> = {}): UsedItem {
  const item = {
    id: 1,
    part_id: facts.id ?? 1,
    gear_id: 1,
    type: 'Drivetrain',
    name: 'Chain',
    position: null,
    cost: 30,
    since: '2025-01-01T01:00:00',
    until: '2025-04-11T01:00:00',
    ended_as: facts.until === null ? null : 'worn',
    was_installed: facts.since === undefined || facts.since !== facts.until,
  }
  return { ...item, ...facts }
}

/** Creates a chain's totals. */
export function chainTotals(facts: Partial<PartTotals> = {}): PartTotals {
  return {
    part_id: 1,
    rides: 10,
    distance: 2_000_000,
    moving_time: 360_000,
    earlier_distance: null,
    earlier_moving_time: null,
    days: 100,
    price: 30,
    cost: 30,
    kind: 'chain',
    by_position: null,
    ...facts,
  }
}

/** Creates totals for the parts of these items. */
export const totalsFor = (items: UsedItem[]): PartTotals[] =>
  [...new Set(items.map(({ part_id }) => part_id))].map((part_id) => chainTotals({ part_id }))

/** Creates the result of the SQL function `part_lifetimes` for these items. */
export const usedColumns = (items: UsedItem[], parts = totalsFor(items)) => ({
  items: columnsOf(items, chainItem()),
  parts: columnsOf(parts, chainTotals()),
})

const columnsOf = <Row extends object>(rows: Row[], example: Row) =>
  Object.fromEntries(Object.keys(example).map((name) => [name, rows.map((row) => row[name as keyof Row])]))

/** Creates a chain's lifetime. Its price is its item's cost. */
export function chain(facts: Partial<UsedItem & PartTotals> = {}): Lifetime {
  const item = chainItem(facts)
  const totals = chainTotals({ ...facts, part_id: item.part_id, price: item.cost, cost: item.cost })
  const [lifetime] = lifetimesOf({ items: [item], parts: [totals] })
  if (!lifetime) throw new Error('This item is work.')
  return lifetime
}

export const TASK: Task = {
  id: 1,
  gear_id: 7,
  item_id: 3,
  name: 'Wax',
  kind: 'service',
  every: { distance: 482_700, moving_time: null, days: null },
  used: { distance: 450_000, moving_time: 60_000, days: 12 },
  left: { distance: 32_700, moving_time: null, days: null },
  once: false,
  due_on: null,
  with_task: null,
  with_task_name: null,
  measured: null,
  group: null,
  fraction: 0.93,
  axis: 'distance',
  state: 'soon',
  snoozed_until: null,
  snoozed_distance: null,
  part_id: 2,
  item_name: 'Chain',
  item_type: 'Drivetrain',
  is_retired: false,
  baseline: '2026-05-01T01:00:00',
  last_done: '2026-05-01T01:00:00',
  newest_event: 9,
  outdoor_only: false,
  earlier_distance: null,
  earlier_moving_time: null,
}

/** A chain that is likely worn in 109 km. */
export const LIMIT: WearLimit = {
  part_id: 2,
  gear_id: 7,
  item_id: 3,
  item_name: 'Chain',
  item_type: 'Drivetrain',
  unit: 'chain %',
  tool: 'CC-4',
  limit: 0.5,
  distance: 2_300_000,
  limit_distance: 2_409_000,
  reached_on: null,
  last_open: 5,
  due_since: null,
  fraction: 0.954,
  state: 'soon',
}

/** The same chain after a reading of its limit. */
export const WORN: WearLimit = {
  ...LIMIT,
  limit_distance: 2_300_000,
  reached_on: '2026-05-09',
  due_since: '2026-05-09',
  fraction: 1,
  state: 'due',
}
