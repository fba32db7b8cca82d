import { createStore } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { type Command, fakeBackend, GATE, type Sent, written } from '../../lib/fake-backend.ts'
import { ITEM } from './fake-item.ts'
import type { Item } from './fields.ts'
import { logAtom } from './log.ts'

type Stored = Item & { request_key?: string | null }

type Hooked = Response | 'lost' | undefined

type Hook = (sent: Sent) => Hooked | Promise<Hooked>

/** Fakes bike 7's log. `hook` sees requests first, and can answer or delay them, or return `lost` to drop responses. */
export function setUpLog(items: Item[] = [ITEM], hook: Hook = () => undefined) {
  const log: Stored[] = structuredClone(items)
  /** The deleted items by change. */
  const deletions = new Map<string, Stored[]>()
  const { backend, sent } = fakeBackend(async (call) => {
    const hooked = await hook(call)
    if (hooked instanceof Response) return hooked
    const response = answer(log, deletions, call)
    if (hooked === 'lost') throw new TypeError('Failed to fetch')
    return response
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const stop = store.sub(logAtom(7), () => undefined)
  const item = (id = 1) => {
    const state = store.get(logAtom(7))
    return state.state === 'ready' ? state.data.find((one) => one.id === id) : undefined
  }
  return {
    store,
    stop,
    item,
    log,
    writes: () => sent.filter(({ method, path }) => method !== 'GET' && isLog(path)),
  }
}

const EDIT = '/rest/v1/rpc/edit_row'

function isLog(path: string): boolean {
  return path.startsWith('/rest/v1/maintenance') || path === EDIT || path === GATE
}

function answer(log: Stored[], deletions: Map<string, Stored[]>, call: Sent): Response {
  const { method, path, body } = call
  const change = call.change ?? ''
  if (path === EDIT) return edit(log, change, body as Edit)
  if (path === GATE) return run(log, deletions, body as Command)
  const { searchParams } = new URL(path, 'http://backend.test')
  if (!isLog(path)) {
    return path.startsWith('/rest/v1/bikes')
      ? Response.json(structuredClone({ gear_id: 7, maintenance: log, latest: log.slice(-1) }))
      : Response.json({ gear_id: 7, total: { rides: 0, distance: 0, moving_time: 0 }, items: [], parts: [] })
  }
  if (method === 'POST') return upsert(log, searchParams.get('on_conflict') ?? 'id', body as Partial<Stored>)
  return Response.json(log.filter((item) => isMatch(item, searchParams)))
}

/** Deletes an item, or restores it. */
function run(log: Stored[], deletions: Map<string, Stored[]>, { command, arguments: given, key }: Command) {
  if (command === 'undo') {
    const rows = deletions.get(given['change'] as string) ?? []
    log.push(...rows.filter(({ id }) => log.every((item) => item.id !== id)))
    return written({ restored: rows.length, conflicts: [] }, key)
  }
  const found = log.filter(({ id }) => id === given['id'])
  for (const item of found) log.splice(log.indexOf(item), 1)
  if (found.length > 0) deletions.set(key, found)
  return written({}, found.length > 0 ? key : null)
}

type Edit = { row_id: number; shown: Partial<Stored>; wanted: Partial<Stored> }

/** Saves values, unless another value than the shown one is stored. */
function edit(log: Stored[], change: string, { row_id, shown, wanted }: Edit): Response {
  const item = log.find(({ id }) => id === row_id)
  if (!item) return Response.json({ change: null, row: null })
  const columns = Object.keys(wanted) as (keyof Edit['wanted'])[]
  const isStale = columns.some((column) => item[column] !== shown[column] && item[column] !== wanted[column])
  if (isStale) return Response.json({ code: 'RMT31', message: '', stored: item }, { status: 409 })
  Object.assign(item, wanted)
  return Response.json({ change, row: item })
}

/** Adds an item, unless another item has the same value in the `unique` column. */
function upsert(log: Stored[], unique: string, given: Partial<Stored>): Response {
  const key = given[unique as keyof Stored]
  if (log.some((item) => item[unique as keyof Stored] === key)) return Response.json([])
  const item = { ...ITEM, description: null, cost: 0, id: 100 + log.length, ...given }
  log.push(item)
  return Response.json([item], { status: 201 })
}

/** Supports `eq.value`. */
function isMatch(item: Stored, search: URLSearchParams): boolean {
  return [...search].every(([column, filter]) => {
    if (!(column in item) && column !== 'request_key') return true
    return String(item[column as keyof Stored] ?? null) === filter.slice('eq.'.length)
  })
}
