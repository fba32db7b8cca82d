// The same actions offline, sent later, and online. Both leave the same rows, and what the screens show offline is what is stored
// in the end.
//
// oxlint-disable no-restricted-imports -- hundreds of sequences in a browser take too long
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { backendAtom } from '../../src/lib/backend.ts'
import { dayAtAtom } from '../../src/lib/clock.ts'
import { runCommand } from '../../src/lib/commands.ts'
import { isSessionPendingAtom } from '../../src/lib/connection.ts'
import type { Day } from '../../src/lib/days.ts'
import { sendWaitingAtom } from '../../src/lib/send-outbox.ts'
import { knownZoneAtom } from '../../src/lib/time-zone.ts'
import { savedIdsAtom, waitingAtom } from '../../src/lib/waiting.ts'
import { newUuid } from '../../src/lib/writes.ts'
import { readAllItems } from '../../src/features/entries/api.ts'
import type { Item } from '../../src/features/entries/fields.ts'
import { applyToLog } from '../../src/features/entries/waiting.ts'
import { readStoredParts, type StoredPart } from '../../src/features/log/actions/api.ts'
import { applyToStored } from '../../src/features/log/actions/stored-waiting.ts'
import type { Task } from '../../src/features/service/api.ts'
import { applyToTasks } from '../../src/features/service/waiting.ts'
import type { WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { cases } from '../cases.ts'
import { openDataApi, type DataApi } from './data-api.ts'
import { openLossyPage, type Page } from './lossy-page.ts'
import { stored } from './memory-idb.ts'

vi.mock('idb-keyval', () => import('./memory-idb.ts'))

let api: DataApi
let today: Day
beforeAll(async () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: new URL('http://127.0.0.1') }))
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ user: { id: 'owner' } }) })
  api = await openDataApi()
})
afterAll(() => api.close())

/** What the screens show. Rows in the order in which they were added. */
interface Shown {
  items: Item[]
  tasks: Task[]
  stored: StoredPart[]
}

async function read({ store }: Page): Promise<Shown> {
  const { client } = store.get(backendAtom)
  const { signal } = new AbortController()
  const due = (await client.rpc('service_due')).data as unknown as { tasks: Task[] }
  return {
    items: await readAllItems(client, signal),
    tasks: due.tasks,
    stored: await readStoredParts(client, signal),
  }
}

/** Applies what waits, as resources do. */
function withWaiting({ store }: Page, shown: Shown): Shown {
  const [waiting, known] = [store.get(waitingAtom), { saved: store.get(savedIdsAtom), today }]
  return {
    items: applyToLog()(shown.items, waiting, known),
    tasks: applyToTasks(shown.tasks, waiting, known),
    stored: applyToStored(shown.stored, waiting, known),
  }
}

interface Act {
  command: WriteName
  input: object
  items?: readonly Item[]
}
type Step = (shown: Shown, day: Day) => Act | null

/** IDs of rows that wait are negative, later ones lower. */
const age = ({ id }: { id: number }) => (id > 0 ? id : 1e6 - id)
const inOrder = <Row extends { id: number }>(rows: Row[]) => rows.toSorted((a, b) => age(a) - age(b))
const inUse = ({ items }: Shown) => inOrder(items).filter(({ dateEnded }) => dateEnded === null)
const pick = <One>(all: readonly One[], index: number): One | undefined => all[index % all.length]

const index = fc.nat(7)
const bike = fc.constantFrom(7, 8)
const KIND = { kind: 'chain', position: null }

const add = fc.tuple(bike, index, fc.boolean()).map(([bikeId, at, replaces]): Step => (shown, day) => {
  const off = pick(
    inUse(shown).filter((one) => one.bikeId === bikeId),
    at,
  )
  const item = { bikeId, name: `Added ${day}`, type: 'Drivetrain', dateStarted: `${day}T01:00:00`, ...KIND }
  return {
    command: 'add_item',
    input: { item, ...(replaces && off && { replaces: [{ id: off.id, ended_as: 'worn' }] }) },
  }
})
const replace = index.map((at): Step => (shown, day) => {
  const off = pick(inUse(shown), at)
  if (!off) return null
  const values = { type: off.type, name: `${off.name}+`, description: null, cost: 12, link: null, ...KIND }
  return {
    command: 'change_parts',
    input: {
      day,
      take_off: [{ id: off.id, ended_as: 'worn' }],
      put_on: [{ replaces: off.id, ...values }],
    },
    items: [off],
  }
})
const move = fc
  .tuple(index, index, index, fc.constantFrom('stored', 'moved', 'sold', null))
  .map(([at, with_, against, goes]): Step => (shown, day) => {
    const part = pick(inUse(shown), at)
    if (!part) return null
    const along = pick(
      inUse(shown).filter((one) => one.bikeId === part.bikeId),
      with_,
    )!
    const to = part.bikeId === 7 ? 8 : 7
    const off = pick(
      inUse(shown).filter((one) => one.bikeId === to),
      against,
    )
    const going = along === part ? [part] : [part, along]
    const offs = off && goes !== null ? [off] : []
    return {
      command: 'change_parts',
      input: {
        day,
        take_off: [
          ...going.map(({ id }) => ({ id, ended_as: 'moved' })),
          ...offs.map(({ id }) => ({ id, ended_as: goes })),
        ],
        put_on: [
          ...going.map(({ id }) => ({ bikeId: to, part_of: id })),
          ...(goes === 'moved' ? offs.map(({ id }) => ({ bikeId: part.bikeId, part_of: id })) : []),
        ],
      },
      items: [...going, ...offs],
    }
  })
const store = index.map((at): Step => (shown, day) => {
  const part = pick(inUse(shown), at)
  if (!part) return null
  const input = { day, take_off: [{ id: part.id, ended_as: 'stored' }], put_on: [] }
  return { command: 'change_parts', input, items: [part] }
})
const install = fc.tuple(index, bike).map(([at, bikeId]): Step => (shown, day) => {
  const part = pick(inOrder(shown.stored.map((one) => ({ ...one, id: one.item_id }))), at)
  const item = shown.items.find(({ id }) => id === part?.item_id)
  if (!item) return null
  const input = { day, take_off: [], put_on: [{ bikeId, part_of: item.id }] }
  return { command: 'change_parts', input, items: [item] }
})
const edit = index.map((at): Step => ({ items }, day) => {
  const { id, name } = pick(inOrder(items), at)!
  const input = { relation: 'maintenance', row_id: id, shown: { name }, wanted: { name: `Named ${day}` } }
  return { command: 'edit_row', input }
})
const LIMITS = { every_distance: 500_000, every_moving_time: null, every_days: 30 }
const addTask = fc
  .record({
    at: index,
    other: index,
    of: fc.constantFrom('part', 'parts', 'bike'),
    kind: fc.constantFrom('service', 'replace', 'check'),
    once: fc.boolean(),
    with_: fc.boolean(),
    start: fc.constantFrom('today', 'last done', 'installed'),
  })
  .map(({ at, other, of, kind, once, with_, start }): Step => (shown, day) => {
    const [one, two] = [pick(inUse(shown), at), pick(inUse(shown), other)]
    if (!one || !two) return null
    const awaited = with_ && once ? pick(inOrder(shown.tasks), other) : undefined
    const ends = once ? { once, due_on: '2030-01-01', every_days: null, with_task: awaited?.id ?? null } : {}
    const values = { name: `Task ${day}`, kind, outdoor_only: false, ...LIMITS, ...ends }
    const isGroup = of === 'parts' && one !== two
    const own = of === 'bike' ? { gear_id: one.bikeId } : { part_id: one.part_id }
    return {
      command: 'add_task',
      input: {
        task: isGroup ? values : { ...values, ...own },
        ...(isGroup && { parts: [one.part_id, two.part_id] }),
        last_done: start === 'last done' && !once ? day : null,
        ...(start === 'installed' && !once && { count_from: 'installed' }),
      },
      items: [one, two],
    }
  })
const done = fc.tuple(index, index).map(([at, other]): Step => ({ tasks }, day) => {
  const open = inOrder(tasks).filter(({ state }) => state !== 'paused')
  const [task, also] = [pick(open, at), pick(open, other)]
  if (!task || !also) return null
  const also_done = also === task ? [] : [also.id]
  return { command: 'mark_done', input: { task_id: task.id, done_on: day, note: `On ${day}`, also_done } }
})
const editTask = fc.tuple(index, index).map(([at, other]): Step => ({ tasks }, day) => {
  const all = inOrder(tasks)
  const [task, awaited] = [pick(all, at), pick(all, other)]
  if (!task || !awaited) return null
  const next = task.once && awaited !== task ? { with_task: awaited.id } : {}
  const wanted = { name: `Work ${day}`, every_distance: 100_000, ...next }
  return { command: 'edit_row', input: { relation: 'service_tasks', row_id: task.id, wanted } }
})

const steps = fc.array(
  fc.oneof(add, replace, move, move, store, install, edit, addTask, addTask, done, editTask),
  {
    minLength: 1,
    maxLength: 9,
  },
)

/** Every step has its day, after those before. */
const dayOfStep = (index: number) => `2024-04-${String(index + 1).padStart(2, '0')}` as Day

async function run({ store }: Page, { command, input, items }: Act) {
  return runCommand(store.get, store.set, command, input as never, newUuid(), 'It', items)
}

const ROWS = `select
  (select jsonb_agg(to_jsonb(item) || jsonb_build_object('kind', part.kind) order by item.id)
    from public.maintenance as item join public.parts as part on part.id = item.part_id) as items,
  (select jsonb_agg(to_jsonb(task) || jsonb_build_object('counted_from', counted_from::date) order by id)
    from public.service_tasks as task) as tasks,
  (select jsonb_agg(to_jsonb(event) order by id) from public.service_events as event) as events`

const counts = new Map<WriteName, number>()

const [offline, online] = [true, false]

async function live(all: readonly Step[], isOffline: boolean) {
  stored.clear()
  const page = await openLossyPage(api, [])
  // The database's, whose owner has no zone yet.
  page.store.set(knownZoneAtom, 'UTC')
  today = page.store.get(dayAtAtom)(Date.now())
  const first = await read(page)
  page.store.set(isSessionPendingAtom, isOffline)
  const shownNow = async () => (isOffline ? withWaiting(page, first) : read(page))
  for (const [index, step] of all.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    const act = step(await shownNow(), dayOfStep(index))
    if (!act) continue
    // oxlint-disable-next-line no-await-in-loop
    await run(page, act)
    counts.set(act.command, (counts.get(act.command) ?? 0) + 1)
  }
  const shown = await shownNow()
  page.store.set(isSessionPendingAtom, false)
  const { refused } = await page.store.set(sendWaitingAtom)
  expect(refused).toEqual([])
  return { shown, page, rows: await page.rowsOf<Record<string, unknown>>(ROWS) }
}

const time = (text: string | null) => text?.replace(' ', 'T').slice(0, 19) ?? null

/** What the screens show, with the IDs that rows have in the end. */
function compared({ items, tasks, stored }: Shown, page: Page) {
  const saved = page.store.get(savedIdsAtom)
  const row = (id: number | null) => (id === null ? null : (saved.get(id)?.item ?? saved.get(id)?.row ?? id))
  const part = (id: number | null) => (id === null ? null : (saved.get(id)?.part ?? id))
  return {
    items: items
      .map((one) => ({
        id: row(one.id),
        bikeId: one.bikeId,
        part_id: part(one.part_id),
        type: one.type,
        name: one.name,
        description: one.description,
        link: one.link,
        cost: one.cost,
        position: one.position,
        dateStarted: time(one.dateStarted),
        dateEnded: time(one.dateEnded),
        ended_as: one.ended_as,
        kind: one.kind,
      }))
      .toSorted((a, b) => a.id! - b.id!),
    tasks: tasks
      .map((one) => {
        // The day on which a part was first installed is only known to the tracker.
        const isKnown = one.baseline !== null
        const { used, left, fraction, axis, state } = one
        return {
          id: row(one.id),
          gear_id: one.gear_id,
          item_id: row(one.item_id),
          part_id: part(one.part_id),
          item_name: one.item_name,
          item_type: one.item_type,
          name: one.name,
          kind: one.kind,
          every: one.every,
          once: one.once,
          due_on: one.due_on,
          with_task: row(one.with_task),
          with_task_name: one.with_task_name,
          group: row(one.group),
          is_retired: one.is_retired,
          last_done: one.last_done?.slice(0, 10) ?? null,
          isPaused: state === 'paused',
          progress: isKnown && { used, left, fraction: fraction.toFixed(6), axis, state },
        }
      })
      .toSorted((a, b) => a.id! - b.id!),
    stored: stored
      .map((one) => ({
        part_id: part(one.part_id),
        item_id: row(one.item_id),
        gear_id: one.gear_id,
        name: one.name,
        type: one.type,
        stored_at: time(one.stored_at),
      }))
      .toSorted((a, b) => a.item_id! - b.item_id!),
  }
}

test('the same actions offline and online leave the same rows, which the screens have shown before', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const one = await live(all, online)
      const expected = { ...(await read(one.page)) }
      const other = await live(all, offline)
      expect(other.rows).toEqual(one.rows)
      const [shown, stored] = [other.shown, expected].map((each) => compared(each, other.page))
      const unknown = new Set(shown!.tasks.flatMap(({ id, progress }) => (progress ? [] : [id])))
      for (const task of stored!.tasks) if (unknown.has(task.id)) task.progress = false
      expect(shown).toEqual(stored)
    }),
    { numRuns: cases(24) },
  )
  expect([...counts.keys()].toSorted()).toEqual([
    'add_item',
    'add_task',
    'change_parts',
    'edit_row',
    'mark_done',
  ])
})
