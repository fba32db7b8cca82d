// A week offline on one device, while another one edits, deletes, marks done and undoes the same rows. Then both are online:
// every change is stored, refused with both values, or dropped by hand, and none is stored twice.
//
// oxlint-disable no-restricted-imports -- weeks in a browser take too long
import fc from 'fast-check'
import { createStore } from 'jotai'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { backendAtom } from '../../src/lib/backend.ts'
import { type Result, runCommand } from '../../src/lib/commands.ts'
import { isSessionPendingAtom } from '../../src/lib/connection.ts'
import { backendOf } from '../../src/lib/fake-backend.ts'
import { removeWaitingAtom, saveMineAtom } from '../../src/lib/outbox.ts'
import { sendWaitingAtom } from '../../src/lib/send-outbox.ts'
import { knownZoneAtom } from '../../src/lib/time-zone.ts'
import { dependsOn } from '../../src/lib/waiting-rows.ts'
import { type Waiting, waitingAtom } from '../../src/lib/waiting.ts'
import { newUuid } from '../../src/lib/writes.ts'
import type { WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { openDataApi, type DataApi } from './data-api.ts'
import { asOwner, type Fate, openLossyPage } from './lossy-page.ts'
import { cases } from '../cases.ts'
import { stored } from './memory-idb.ts'

vi.mock('idb-keyval', () => import('./memory-idb.ts'))

let api: DataApi
let user = 'owner'
beforeAll(async () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: new URL('http://127.0.0.1') }))
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ user: { id: user } }) })
  api = await openDataApi()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => api.close())

type Store = ReturnType<typeof createStore>

/** Runs a command in a tab. Resolves to null if it was refused. */
const run = async (store: Store, command: WriteName, input: object, key: string, subject?: string) =>
  runCommand(store.get, store.set, command, input as never, key, subject).catch(() => null)

const sendAsOwner: typeof fetch = async (input, init) => {
  const request = asOwner(api, new Request(input, init))
  const { url, method, headers } = request
  return api.fetch(new URL(url).pathname, { method, headers, body: await request.text() })
}

/** Opens the other device, which always has the network and keeps nothing. */
function openOther(): Store {
  const store = createStore()
  store.set(backendAtom, backendOf(sendAsOwner))
  return store
}

const START = { 1001: { name: 'Chain', cost: 0 }, 1002: { name: 'Tires', cost: 0 } }
const LAST_ID = 1002
type Seen = Record<number, { name: string; cost: number }>
type Act = { command: WriteName; input: object; wanted?: object }
/** Returns what a device does, by what it sees: its own values, and the IDs of what it has added: items and tasks, and done. */
type Plan = (seen: Seen, added: number[], done: number[], tasks: number[]) => Act | null

const item = fc.constantFrom<1001 | 1002>(1001, 1001, 1002)
const task = fc.constantFrom(1001, 1001, 1002)
const day = fc.constantFrom('2024-03-01', '2024-03-02', '2024-03-03')
let unique = 0

type Wanted = { name: string } | { cost: number }
const edit =
  (id: 1001 | 1002, wanted: Wanted): Plan =>
  (seen) => {
    const shown = Object.fromEntries(Object.keys(wanted).map((name) => [name, seen[id]![name as 'name']]))
    Object.assign(seen[id]!, wanted)
    return { command: 'edit_row', input: { relation: 'maintenance', row_id: id, shown, wanted }, wanted }
  }
const wantedValues = fc.constantFrom<Wanted>({ name: 'A' }, { name: 'B' }, { cost: 5 }, { cost: 9 })
const edits = fc.tuple(item, wantedValues).map(([id, wanted]) => edit(id, wanted))
const dones = fc
  .record({
    task_id: task,
    done_on: day,
    note: fc.constantFrom(undefined, 'Hot', 'Drip'),
    cost: fc.constantFrom(undefined, 3),
  })
  .map(({ task_id, ...rest }): Plan => () => ({
    command: 'mark_done',
    input: JSON.parse(
      JSON.stringify({ task_id, seen: task_id === 1001 ? 1001 : undefined, ...rest }),
    ) as object,
  }))

const snoozes = fc.record({ task_id: task, until: day }).map((input): Plan => () => ({
  command: 'snooze',
  input,
}))
const add: Plan = () => ({
  command: 'add_item',
  input: { item: { bikeId: 7, name: `New ${(unique += 1)}`, dateStarted: '2024-03-01T01:00:00' } },
})
const describeAdded: Plan = (_seen, added) => {
  const row_id = added.at(-1)
  if (row_id === undefined) return null
  const wanted = { description: `Text ${(unique += 1)}` }
  const input = { relation: 'maintenance', row_id, shown: { description: null }, wanted }
  return { command: 'edit_row', input, wanted }
}
const noteDone: Plan = (_seen, _added, done) => {
  const event_id = done.pop()
  if (event_id === undefined) return null
  const wanted = { note: `Note ${(unique += 1)}` }
  return { command: 'correct_event', input: { event_id, shown: {}, wanted, also_done: [] } }
}
const measure =
  (part: number | 'added'): Plan =>
  (_seen, added) => {
    const part_id = part === 'added' ? added.at(-1) : part
    const measurement = { measured_on: '2024-03-01', value: (unique += 1), unit: 'mm' }
    return part_id === undefined ? null : { command: 'add_measurement', input: { part_id, measurement } }
  }
const measurements = fc.constantFrom(1001, 1002, 'added' as const).map(measure)
const replace =
  (item: 1002 | 'added'): Plan =>
  (_seen, added) => {
    const id = item === 'added' ? added.at(-1) : item
    if (id === undefined) return null
    const put = { replaces: id, name: `Next ${(unique += 1)}`, kind: null, position: null }
    const input = { day: '2024-03-04', take_off: [{ id, ended_as: 'worn' }], put_on: [put] }
    return { command: 'change_parts', input }
  }
const addTask =
  (isGroup: boolean): Plan =>
  (_seen, added) => {
    const part = added.at(-1) ?? 1002
    const task = { name: `Task ${(unique += 1)}`, kind: 'service', every_days: 30 }
    const input = isGroup ? { task, parts: [1001, part] } : { task: { ...task, part_id: part } }
    return { command: 'add_task', input }
  }
const doAdded: Plan = (_seen, _added, _done, tasks) => {
  const task_id = tasks.at(-1)
  return task_id === undefined
    ? null
    : { command: 'mark_done', input: { task_id: 1002, also_done: [task_id] } }
}
const removeItem: Plan = () => ({ command: 'delete_item', input: { bikeId: 7, id: 1002 } })
const removeTask: Plan = () => ({ command: 'remove_task', input: { task_id: 1002 } })
const undoLast: Plan = () => ({ command: 'undo', input: {} })

const often = (weight: number, plans: fc.Arbitrary<Plan> | Plan) => ({
  weight,
  arbitrary: typeof plans === 'function' ? fc.constant(plans) : plans,
})
const offline = fc.array(
  fc.oneof(
    often(4, edits),
    often(4, dones),
    often(1, snoozes),
    often(2, add),
    often(2, describeAdded),
    often(2, noteDone),
    often(2, measurements),
    often(2, fc.constantFrom(1002 as const, 'added' as const).map(replace)),
    often(2, fc.boolean().map(addTask)),
    often(2, doAdded),
  ),
  { minLength: 1, maxLength: 8 },
)
const elsewhere = fc.array(
  fc.oneof(often(3, edits), often(3, dones), often(1, removeItem), often(1, removeTask), often(2, undoLast)),
  { maxLength: 6 },
)

interface Week {
  mine: Plan[]
  theirs: Plan[]
  /** Which of my changes I remove before they are sent, and during which requests I remove what is being sent. */
  removed: number[]
  withdrawn: number[]
  plan: Fate[]
  /** For each refused change in turn: whether to save mine. */
  choices: boolean[]
}

async function live({ mine, theirs, removed, withdrawn, plan, choices }: Week) {
  stored.clear()
  let requests = 0
  const page = await openLossyPage(api, plan, async ({ key }) => {
    if (withdrawn.includes((requests += 1)) && made.has(key) && isListed(key)) await drop(key)
  })
  const isListed = (key: string) => store.get(waitingAtom).some((one) => one.key === key)
  let store = page.store
  store.set(isSessionPendingAtom, true)
  const seen: Seen = structuredClone(START)
  const [added, done, tasks]: number[][] = [[], [], []]
  const made = new Map<string, Act>()
  for (const plan of mine) {
    const act = plan(seen, added!, done!, tasks!)
    if (!act) continue
    const key = newUuid()
    const { answer } = (await run(store, act.command, act.input, key, 'It')) as Result<'add_item'> & {
      answer: Result<'change_parts'>['answer'] & Result<'add_task'>['answer'] & { id: number }
    }
    made.set(key, act)
    if (act.command === 'add_item') added!.push(answer.item.id)
    if (act.command === 'mark_done') done!.push(answer.id)
    if (act.command === 'change_parts') added!.push(answer.added[0]!.id)
    if (act.command === 'add_task') tasks!.push(answer.tasks.at(-1)!.id)
  }
  expect(store.get(waitingAtom).map(({ key }) => key)).toEqual([...made.keys()])

  const other = openOther()
  const theirSeen: Seen = structuredClone(START)
  let last: string | null = null
  for (const plan of theirs) {
    const act = plan(theirSeen, [], [], [])!
    if (act.command === 'undo' && last === null) continue
    const input: object = act.command === 'undo' ? { change: last } : act.input
    last = (await run(other, act.command, input, newUuid()))?.change ?? last
  }

  const dropped = new Set<string>()
  /** Changes that could not be taken back. */
  const stays = new Set<string>()
  const drop = async (key: string) => {
    const before = store.get(waitingAtom)
    expect(await store.set(removeWaitingAtom, key)).toBe(true)
    const after = new Set(store.get(waitingAtom).map((one) => one.key))
    for (const one of before.filter((one) => !after.has(one.key))) {
      if (one.command === 'undo') stays.add(one.input.change)
      else dropped.add(one.key)
    }
  }
  for (const index of removed) {
    const one = store.get(waitingAtom)[index]
    if (one) await drop(one.key)
  }

  // The browser is closed and opened again.
  store = createStore()
  store.set(backendAtom, page.store.get(backendAtom))
  const saved = new Set<string>()
  const refusals: Waiting[] = []
  for (let round = 0; round < 60; round += 1) {
    if (round === 10) page.reconnect()
    const before = (stored.get('owner') ?? []) as Waiting[]
    const outcome = await store.set(sendWaitingAtom)
    const kept = [...before.filter(({ refusal }) => refusal), ...outcome.refused]
    for (const { change } of outcome.saved.filter((one) => made.has(one.change.key))) {
      expect(saved.has(change.key)).toBe(false)
      saved.add(change.key)
      // Later rows have lower IDs.
      expect(kept.filter((one) => change.id < one.id && dependsOn(change, one))).toEqual([])
    }
    refusals.push(...outcome.refused)
    const all = (stored.get('owner') ?? []) as Waiting[]
    store.set(waitingAtom, all)
    if (all.length === 0) break
    const refused = all.find(({ refusal }) => refusal)
    if (!refused) continue
    if (choices.shift() && round < 40) await store.set(saveMineAtom, refused.key)
    else await drop(refused.key)
  }
  expect(stored.get('owner') ?? []).toEqual([])
  return { page, made, saved, dropped, stays, refusals }
}

/** Returns how many rows of a table an act may add: more than one if it names several tasks or parts. */
function rowsNamed({ input }: Act): number {
  const { also_done = [], parts } = input as { also_done?: number[]; parts?: number[] }
  return parts?.length ?? 1 + also_done.length
}

/** Rows of commands whose change is never there already. */
const ADDS: { [Name in WriteName]?: string } = {
  add_item: 'maintenance',
  add_task: 'service_tasks',
  change_parts: 'maintenance',
  add_measurement: 'wear_measurements',
}

const weekOf = (mine: Plan[], theirs: Plan[] = [], rest: Partial<Week> = {}): [Week] => [
  { mine, theirs, removed: [], withdrawn: [], plan: [], choices: [], ...rest },
]
const EXAMPLES = [
  weekOf([add, measure('added'), describeAdded]),
  weekOf([add, replace('added'), addTask(true), doAdded, describeAdded]),
  // What depends on a refused replacement waits for the decision.
  weekOf([replace(1002), addTask(false), doAdded], [removeItem]),
  // The second edit waits for the decision about the first.
  weekOf([edit(1001, { name: 'A' }), edit(1001, { cost: 5 })], [edit(1001, { name: 'B' })]),
  // The rider removes what is being saved.
  weekOf([add, add], [], { withdrawn: [1], plan: ['lost after', 'lost after'] }),
  weekOf([add, add], [], { withdrawn: [1], plan: ['late'] }),
]
const counts = { saved: 0, dropped: 0, both: 0, takenBack: 0 }

/** Finds rows of a change that no Undo has written since. A part goes with its item. */
const notUndone = (key: string) => `select relation, row_id from public.changes as row
  where change = '${key}' and relation <> 'parts' and not exists (
    select from public.changes as undone where undone.command = 'undo' and undone.id > row.id
      and (undone.relation, undone.row_id) = (row.relation, row.row_id)
  )`

test('stores each change of a week offline once, or keeps it with both values until the rider decides', async () => {
  const week = fc.record({
    mine: offline,
    theirs: elsewhere,
    removed: fc.array(fc.nat(4), { maxLength: 1 }),
    withdrawn: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
    plan: fc.array(fc.constantFrom<Fate>('answered', 'lost before', 'lost after', 'late'), { maxLength: 8 }),
    choices: fc.array(fc.boolean(), { maxLength: 10 }),
  })
  await fc.assert(
    fc.asyncProperty(week, async (chosen) => {
      const { page, made, saved, dropped, stays, refusals } = await live(chosen)
      expect([...saved, ...dropped].toSorted()).toEqual([...made.keys()].toSorted())
      for (const { refusal } of refusals) {
        expect(refusal!.message).toMatch(/\.$/)
        expect(refusal!.stored !== null).toBe(['RMT31', 'PT409'].includes(refusal!.code))
        if (refusal!.stored) counts.both += 1
      }
      // Nobody else knows the parts that this device adds.
      const ofAdded = refusals.filter(
        (one) => one.command === 'add_measurement' && one.input.part_id > LAST_ID,
      )
      expect(ofAdded).toEqual([])
      for (const [key, act] of made) {
        const isSaved = saved.has(key)
        const rows = await page.rowsOf<{ relation: string; before: object | null; after: object }>(
          `select relation, before, after from public.changes where change = '${key}' order by id`,
        )
        const isWanted = isSaved || stays.has(key)
        expect(isWanted ? [] : await page.rowsOf(notUndone(key))).toEqual([])
        if (!isWanted && rows.length > 0) counts.takenBack += 1
        const added = rows.filter(({ before }) => before === null).map(({ relation }) => relation)
        const most = Math.max(
          0,
          ...Map.groupBy(added, String)
            .values()
            .map(({ length }) => length),
        )
        expect(most).toBeLessThanOrEqual(rowsNamed(act))
        const relation = ADDS[act.command]
        expect(relation === undefined || !isSaved || added.includes(relation)).toBe(true)
        for (const { after } of act.command === 'edit_row' ? rows : [])
          expect(after).toMatchObject(act.wanted!)
      }
      counts.saved += saved.size
      counts.dropped += dropped.size
    }),
    { numRuns: cases(40), examples: EXAMPLES },
  )
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
})

test('another account neither sees nor sends what waits', async () => {
  stored.clear()
  const { store, rowsOf } = await openLossyPage(api, [])
  store.set(isSessionPendingAtom, true)
  const item = { bikeId: 7, name: 'Not theirs' }
  await run(store, 'add_item', { item }, newUuid(), 'It')
  user = 'another'
  const other = createStore()
  other.set(backendAtom, store.get(backendAtom))
  expect(await other.set(sendWaitingAtom)).toEqual({ saved: [], refused: [] })
  const rows = () => rowsOf(`select from public.maintenance where name = 'Not theirs'`)
  expect(await rows()).toEqual([])
  user = 'owner'
  expect((await other.set(sendWaitingAtom)).saved).toHaveLength(1)
  expect(await rows()).toHaveLength(1)
})

/** Opens a page that was offline when it made a change, and is online again. */
async function waitThenConnect(command: WriteName, input: object, plan: Fate[] = []) {
  stored.clear()
  const page = await openLossyPage(api, plan)
  page.store.set(isSessionPendingAtom, true)
  const key = newUuid()
  await run(page.store, command, input, key, 'It')
  page.store.set(isSessionPendingAtom, false)
  return { ...page, key }
}

const BELL = { item: { bikeId: 7, name: 'Bell', dateStarted: '2024-03-01T01:00:00' } }
const bells = `select from public.maintenance where name = 'Bell'`

test('takes back what was saved if its response was lost while it was sent from the list', async () => {
  const { store, key, rowsOf } = await waitThenConnect('add_item', BELL, ['lost after', 'lost after'])
  expect(await store.set(sendWaitingAtom)).toEqual({ saved: [], refused: [] })
  expect(await rowsOf(bells)).toHaveLength(1)
  expect(await store.set(removeWaitingAtom, key)).toBe(true)
  await store.set(sendWaitingAtom)
  expect([await rowsOf(bells), stored.get('owner')]).toEqual([[], []])
})

test('asks before it sends a change that the tracker may have forgotten', async () => {
  const { store, key, rowsOf } = await waitThenConnect('add_item', BELL, ['lost after', 'lost after'])
  await store.set(sendWaitingAtom)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 86_400_000)
  const { refused } = await store.set(sendWaitingAtom)
  expect(refused).toMatchObject([{ key, refusal: { message: 'It has waited for more than 30 days.' } }])
  expect(await rowsOf(bells)).toHaveLength(1)
  await store.set(saveMineAtom, key)
  expect((await store.set(sendWaitingAtom)).saved).toHaveLength(2)
  // It had been saved already.
  expect(await rowsOf(bells)).toHaveLength(1)
})

test('a task of a part that was replaced elsewhere is the successor’s, and so is its Done', async () => {
  stored.clear()
  const { store, rowsOf } = await openLossyPage(api, [])
  // The database's, whose owner has no zone yet.
  store.set(knownZoneAtom, 'UTC')
  store.set(isSessionPendingAtom, true)
  const task = { name: 'Clean', kind: 'service', every_days: 30 }
  const group = await run(store, 'add_task', { task, parts: [1001, 1002] }, newUuid(), 'It')
  const [first] = (group as Result<'add_task'>).answer.tasks
  await run(store, 'mark_done', { task_id: first.id, done_on: '2024-03-05' }, newUuid(), 'It')
  const replacement = { part_id: 1001, ended_as: 'worn', day: '2024-03-04', successor: { name: 'New chain' } }
  await run(openOther(), 'replace_part', replacement, newUuid())
  store.set(isSessionPendingAtom, false)
  expect(await store.set(sendWaitingAtom)).toMatchObject({ refused: [], saved: [{}, {}] })
  const done = `select item.name from public.service_events as event join public.maintenance as item using (part_id)
    where event.done_at::date = '2024-03-05'`
  expect(await rowsOf(done)).toEqual([{ name: 'New chain' }])
})
