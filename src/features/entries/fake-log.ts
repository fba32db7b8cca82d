import { createStore } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { type Command, fakeBackend, GATE, type Sent, written } from '../../lib/fake-backend.ts'
import { ITEM } from './fake-item.ts'
import type { Item } from './fields.ts'
import { logAtom } from './log.ts'

type Hooked = Response | 'lost' | undefined

type Hook = (sent: Sent) => Hooked | Promise<Hooked>

/** Fakes bike 7's log. `hook` sees requests first, and can answer or delay them, or return `lost` to drop responses. */
export function setUpLog(items: Item[] = [ITEM], hook: Hook = () => undefined) {
  const log: Item[] = structuredClone(items)
  const answers = new Map<string, Answered>()
  const { backend, sent } = fakeBackend(async (call) => {
    const hooked = await hook(call)
    if (hooked instanceof Response) return hooked
    const response = answer(log, answers, call)
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
    writes: () => sent.filter(({ method, path }) => method !== 'GET' && path === GATE),
  }
}

function answer(log: Item[], answers: Map<string, Answered>, { path, body }: Sent): Response {
  if (path === GATE) return run(log, answers, body as Command)
  return path.endsWith('/rpc/log_items')
    ? Response.json(structuredClone({ items: log }))
    : Response.json({ gear_id: 7, total: { rides: 0, distance: 0, moving_time: 0 }, items: [], parts: [] })
}

/** Adds, edits, deletes or restores an item, once per key. */
function run(log: Item[], answers: Map<string, Answered>, call: Command): Response {
  const { command, arguments: given, key } = call
  const earlier = answers.get(key)
  if (earlier) {
    return JSON.stringify(earlier.given) === JSON.stringify(given)
      ? written(earlier.answer, key)
      : Response.json(
          { code: 'RMT07', message: '', stored: { answer: earlier.answer, change: key } },
          { status: 409 },
        )
  }
  const remember = (answer: object, was: Item[] = []) => {
    answers.set(key, { given, answer: structuredClone(answer), was })
    return written(answer, key)
  }
  switch (command) {
    case 'add_item': {
      const item = { ...ITEM, description: null, cost: 0, id: 100 + log.length, ...(given['item'] as object) }
      log.push(item)
      return remember({ item })
    }
    case 'edit_row': {
      const edited = edit(log, given as Edit)
      return edited instanceof Response ? edited : remember(edited)
    }
    case 'undo': {
      const rows = answers.get(given['change'] as string)?.was ?? []
      log.push(...rows.filter(({ id }) => log.every((item) => item.id !== id)))
      return remember({ restored: rows.length, conflicts: [] })
    }
    default: {
      const found = log.filter(({ id }) => id === given['id'])
      for (const item of found) log.splice(log.indexOf(item), 1)
      return found.length > 0 ? remember({}, found) : written({}, null)
    }
  }
}

/** A command's arguments and answer, and the items that it deleted. */
type Answered = { given: object; answer: object; was: Item[] }

type Edit = { row_id: number; shown: Partial<Item>; wanted: Partial<Item> }

/** Saves values, unless another value than the shown one is stored. */
function edit(log: Item[], { row_id, shown, wanted }: Edit): Response | { row: Item } {
  const item = log.find(({ id }) => id === row_id)
  if (!item) return written({ row: null }, null)
  const columns = Object.keys(wanted) as (keyof Edit['wanted'])[]
  const isStale = columns.some((column) => item[column] !== shown[column] && item[column] !== wanted[column])
  if (isStale) return Response.json({ code: 'RMT31', message: '', stored: item }, { status: 409 })
  return { row: Object.assign(item, wanted) }
}
