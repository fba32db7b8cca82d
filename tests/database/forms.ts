// The client's forms, filled in and saved without a browser.
//
// oxlint-disable no-restricted-imports -- losing hundreds of responses in a browser takes too long
import fc from 'fast-check'
import { expect } from 'vitest'
import type { recordToasts } from '../../src/components/record-toasts.ts'
import { cellKey } from '../../src/features/entries/cell.ts'
import { draftAtom } from '../../src/features/entries/drafts.ts'
import { FIELDS, type Item } from '../../src/features/entries/fields.ts'
import { changePartsAtom } from '../../src/features/log/actions/atoms.ts'
import { addEntryAtom } from '../../src/features/log/actions/new-entry.ts'
import { replaceAtom } from '../../src/features/log/actions/replacement.ts'
import { addMeasurementAtom } from '../../src/features/log/details/wear/atoms.ts'
import { correctEventAtom, type EventValues } from '../../src/features/service/edits.ts'
import { undoAtom } from '../../src/features/journal/mutate.ts'
import { US } from '../../src/lib/fake-formats.ts'
import { shownAfter, wantedOf } from '../../src/lib/forms.ts'
import { ChangedElsewhere, SavedEarlier, toAppError } from '../../src/lib/errors.ts'
import { type Day, timestampOf } from '../../src/lib/days.ts'
import { newUuid } from '../../src/lib/writes.ts'
import { BIKE, type Page } from './lossy-page.ts'

export type Outcome = 'saved' | 'earlier version' | 'unclear' | 'not saved'

export interface Form<Values> {
  values: fc.Arbitrary<Values>
  /** Opens the form. The returned function fills it in and saves it. */
  open(page: Page, toasts: ReturnType<typeof recordToasts>): (values: Values) => Promise<Outcome>
  /** Returns the values that were saved, or null if none were. Throws if the form was saved twice. */
  stored(page: Page): Promise<Values | null>
}

const days = fc.constantFrom<Day[]>('2024-03-01', '2024-03-02', '2024-03-03')

function outcomeOf(cause: unknown): Outcome {
  if (cause instanceof SavedEarlier || cause instanceof ChangedElsewhere) return 'earlier version'
  return toAppError(cause).code === 'unclear' ? 'unclear' : 'not saved'
}

/** Saves a form as the hook useForm does. */
function formWith<Values>(write: (page: Page, values: Values, key: string) => Promise<unknown>) {
  return (page: Page) => {
    let key = newUuid()
    let earlier: string | null = null
    return async (values: Values): Promise<Outcome> => {
      try {
        if (earlier !== null) {
          await page.store.set(undoAtom, earlier)
          ;[key, earlier] = [newUuid(), null]
        }
        await write(page, values, key)
        return 'saved'
      } catch (cause) {
        if (cause instanceof SavedEarlier) earlier = cause.stored.change
        return outcomeOf(cause)
      }
    }
  }
}

function onlyRow<Row>(rows: Row[]): Row | null {
  expect(rows.length).toBeLessThan(2)
  return rows[0] ?? null
}

type Replacement = { name: string; cost: number; day: string; reason: 'worn' | 'damaged' }
const replace: Form<Replacement> = {
  values: fc.record({
    name: fc.constantFrom('Chain', 'Chain B'),
    cost: fc.constantFrom(30, 55),
    day: days,
    reason: fc.constantFrom('worn', 'damaged'),
  }),
  open: formWith(({ store }, { day, reason, ...values }, key) => {
    const item = { id: 1001, bikeId: BIKE, name: 'Chain' } as Item
    const kind = { kind: 'chain', position: null } as const
    const rest = { type: 'Drivetrain', description: null, link: null, dateStarted: timestampOf(day as Day) }
    return store.set(replaceAtom, item, { values: { ...values, ...rest }, kind, reason }, key)
  }),
  async stored({ rowsOf }) {
    const rows = await rowsOf<Replacement>(`
      select new.name, new.cost::float, old."dateEnded"::date::text as day, old.ended_as as reason
      from public.maintenance as old left join public.maintenance as new on new.id not in (1001, 1002)
      where old.id = 1001 and old."dateEnded" is not distinct from new."dateStarted" and (old."dateEnded" is not null or new.id > 0)`)
    return onlyRow(rows)
  },
}

type Move = { day: string; to: number | null; withTires: boolean }
const move: Form<Move> = {
  // If `to` is null, the parts are stored.
  values: fc.record({ day: days, to: fc.constantFrom(8, null), withTires: fc.boolean() }),
  open: formWith(({ store }, { day, to, withTires }, key) => {
    const ids = withTires ? [1001, 1002] : [1001]
    const ended_as = to === null ? 'stored' : 'moved'
    const change = {
      day: day as Day,
      take_off: ids.map((id) => ({ id, ended_as }) as const),
      put_on: to === null ? [] : ids.map((part_of) => ({ bikeId: to, part_of })),
    }
    return store.set(changePartsAtom, change, key, { name: 'Chain', done: 'moved' })
  }),
  async stored({ rowsOf }) {
    const items = await rowsOf<{
      part: number
      bike: number
      day: string
      ended: string | null
      as: string | null
    }>(`
      select part_id::int as part, "bikeId"::int as bike, "dateStarted"::date::text as day, "dateEnded"::date::text as ended,
        ended_as as as from public.maintenance order by id < 1001, id`)
    const [chain, tires, ...added] = items
    expect(added.map(({ day }) => day)).toEqual(added.map(() => chain!.ended))
    const withTires = tires!.ended !== null
    const parts = added.map(({ part }) => part).toSorted((a, b) => a - b)
    expect(parts).toEqual(added.length === 0 ? [] : withTires ? [1001, 1002] : [1001])
    return chain!.ended === null ? null : { day: chain!.ended, to: added[0]?.bike ?? null, withTires }
  },
}

type Measured = { measured_on: Day; value: number; note: string | null }
const measure: Form<Measured> = {
  values: fc.record({
    measured_on: days,
    value: fc.constantFrom(0.35, 0.5),
    note: fc.constantFrom(null, 'Cold'),
  }),
  open: formWith(({ store }, values, key) => {
    const all = { ...values, reading: null, unit: 'mm', tool: '', limit: null }
    return store.set(addMeasurementAtom, 1002, all, [], key)
  }),
  stored: async ({ rowsOf }) =>
    onlyRow(
      await rowsOf<Measured>(
        'select measured_on::text, value::float, note from public.wear_measurements where part_id = 1002',
      ),
    ),
}

type Corrected = { done_on: Day; cost: number | null; note: string; also: boolean }
const correct: Form<Corrected> = {
  values: fc.record({
    done_on: days,
    cost: fc.constantFrom(null, 12.5, 15),
    note: fc.constantFrom('Drip', 'Hot'),
    also: fc.boolean(),
  }),
  open(page) {
    let shown: EventValues = { done_on: '2024-02-01', cost: null, note: 'Drip' }
    return formWith<Corrected>(async ({ store }, { also, ...values }, key) => {
      const wanted = wantedOf<EventValues>(values, shown)
      const correction = { shown, wanted, also_done: also ? [1002] : [] }
      try {
        await store.set(correctEventAtom, { id: 1001, name: 'Wax' }, correction, key)
      } catch (cause) {
        shown = shownAfter(cause, shown, wanted)
        throw cause
      }
    })(page)
  },
  async stored({ rowsOf }) {
    const [event, other] = await rowsOf<Corrected & { day: string }>(`
      select done_at::date::text as done_on, item.cost::float, note, item.description
      from public.service_events as event left join public.maintenance as item on item.id = maintenance_id order by task_id`)
    if (event!.done_on === '2024-02-01') return null
    if (other) expect(other.done_on).toBe(event!.done_on)
    const { done_on, cost, note } = event!
    return { done_on, cost, note, also: other !== undefined }
  },
}

type NewItem = { name: string; description: string | null; cost: number; dateStarted: string }
const addItem: Form<NewItem> = {
  values: fc.record({
    name: fc.constantFrom('Belt', 'Belt drive'),
    description: fc.constantFrom(null, 'Gates'),
    cost: fc.constantFrom(0, 45),
    dateStarted: fc.constantFrom('2024-03-01', '2024-03-02'),
  }),
  open({ store, rowsOf }, toasts) {
    const key = newUuid()
    return async ({ dateStarted, ...values }) => {
      const entry = { ...values, dateStarted: timestampOf(dateStarted as Day) }
      const shown = toasts.failures.length
      try {
        const given = { values: entry, kind: null, replaced: [], onAdded: () => undefined }
        await store.set(addEntryAtom, BIKE, given, key)
      } catch (cause) {
        return outcomeOf(cause)
      }
      if (toasts.failures[shown] === undefined) return 'saved'
      // Values that differ are drafts of the entry that an earlier attempt has added.
      const [row] = await rowsOf<{ item: Item }>(
        'select to_jsonb(item) as item from public.maintenance as item where id not in (1001, 1002)',
      )
      const { item } = row!
      const drafted = (field: keyof NewItem) => store.get(draftAtom(cellKey(item, field)))?.text
      for (const [name, value] of Object.entries(entry)) {
        const field = name as keyof NewItem
        const text = FIELDS[field].format(value, US)
        expect(drafted(field) ?? FIELDS[field].format(item[field], US)).toBe(text)
      }
      return 'earlier version'
    }
  },
  stored: async ({ rowsOf }) =>
    onlyRow(
      await rowsOf<NewItem>(`
        select name, description, cost::float, "dateStarted"::date::text as "dateStarted"
        from public.maintenance where id not in (1001, 1002)`),
    ),
}

// Each test only passes a form its own values, so the cast is safe.
export const FORMS = Object.entries({
  'a replacement': replace,
  'a move': move,
  'a measurement': measure,
  'a correction': correct,
  'a new row': addItem,
}) as unknown as [string, Form<object>][]
