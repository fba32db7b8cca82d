import type { Lifetime, UsedItem } from './lifetimes.ts'
import { createLog, type Log } from './log.ts'

/** A log that records its lines. */
export function recordLog(secrets: readonly string[] = []): { log: Log; lines: string[] } {
  const lines: string[] = []
  const record = (line: string) => void lines.push(line)
  return { log: createLog('test', secrets, { info: record, error: record }), lines }
}

/** A POST request to a function. */
export function post(body?: string, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/functions/v1/any', { method: 'POST', headers, body: body ?? null })
}

/** The status and code of an error response. Throws if the response has any other field. */
export async function errorOf(response: Response): Promise<[status: number, code: string]> {
  const body = (await response.json()) as Record<string, unknown>
  const { code, message, ...rest } = body
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(rest).length > 0) {
    throw new Error(`Not {code, message}: ${JSON.stringify(body)}`)
  }
  return [response.status, code]
}

/** The lifetime of a worn chain, with any facts changed. */
export function chain(facts: Partial<Lifetime>): Lifetime {
  return {
    part_id: 1,
    item_id: 1,
    gear_id: 1,
    type: 'Drivetrain',
    name: 'Chain',
    rides: 10,
    distance: 2_000_000,
    moving_time: 360_000,
    days: 100,
    cost: 30,
    ended_as: 'worn',
    running: false,
    started: '2025-01-01T01:00:00',
    ended: '2025-04-11T01:00:00',
    item_ids: [1],
    gear_ids: [1],
    ...facts,
  }
}

/** An item of a worn chain, with any facts changed. */
export function chainItem(facts: Partial<UsedItem> = {}): UsedItem {
  return {
    id: 1,
    part_id: facts.id ?? 1,
    gear_id: 1,
    type: 'Drivetrain',
    name: 'Chain',
    cost: 30,
    since: '2025-01-01T01:00:00',
    upto: '2025-04-11T01:00:00',
    ended_as: facts.upto === null ? null : 'worn',
    rides: 10,
    distance: 2_000_000,
    moving_time: 360_000,
    days: 100,
    ...facts,
  }
}
