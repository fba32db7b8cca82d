// The answers of the SQL functions that the client calls through the data API, except those with plain values.
import * as v from 'valibot'
import { columnsByAxis } from '../axes.ts'
import {
  ENTRY_FIELDS,
  type EntryField,
  type EntryFieldName,
  type EntryFields,
  type ValueOf,
} from '../entry-fields.ts'
import { END_REASONS, TASK_KINDS } from '../limits.ts'
import { KIND_NAMES, POSITIONS } from '../kinds.ts'
import { Count, Day, earlier, Id, Instant, Meters, Money, rideSums, WallClock } from './fields.ts'

const VALUES = { select: v.string(), text: v.string(), cost: Money, date: WallClock }

const itemValues = Object.fromEntries(
  Object.entries<EntryField>(ENTRY_FIELDS).map(([name, { kind, initial }]): [string, v.GenericSchema] => [
    name,
    initial === null ? v.nullable(VALUES[kind]) : VALUES[kind],
  ]),
) as { [Name in EntryFieldName]: v.GenericSchema<ValueOf<EntryFields[Name]>> }

export const Item = v.strictObject({
  id: Id,
  bikeId: Id,
  part_id: Id,
  ...itemValues,
  /** Null: in use, or unknown. */
  ended_as: v.nullable(v.picklist(END_REASONS)),
  /** The item that this item replaced. */
  replaces: v.nullable(Id),
  /** Null: unknown, or the part's kind has no ends. */
  position: v.nullable(v.picklist(POSITIONS)),
})

/** An item with its part's kind, or null if that is unknown, and its number of files. */
export const LogItem = v.strictObject({
  ...Item.entries,
  kind: v.nullable(v.picklist(KIND_NAMES)),
  file_count: Count,
})

export const Task = v.strictObject({
  id: Id,
  /** One of both is null. */
  part_id: v.nullable(Id),
  gear_id: v.nullable(Id),
  name: v.string(),
  kind: v.picklist(TASK_KINDS),
  ...columnsByAxis(() => v.nullable(v.number())),
  outdoor_only: v.boolean(),
  snoozed_until: v.nullable(Day),
  snoozed_distance: v.nullable(Meters),
  snoozed_from: v.nullable(WallClock),
  snoozed_part: v.nullable(Id),
  counted_from: v.nullable(WallClock),
  once: v.boolean(),
  due_on: v.nullable(Day),
  with_task: v.nullable(Id),
  group: v.nullable(Id),
})

export const Event = v.strictObject({
  id: Id,
  task_id: Id,
  /** The part at that time. Null for a bike's task. */
  part_id: v.nullable(Id),
  done_at: WallClock,
  note: v.nullable(v.string()),
  /** The log entry with the cost. */
  maintenance_id: v.nullable(Id),
  pressed_at: v.nullable(Instant),
})

const StoredPart = v.strictObject({
  part_id: Id,
  /** The part's last item. It ended when the part was stored. */
  item_id: Id,
  gear_id: Id,
  type: v.nullable(v.string()),
  name: v.string(),
  stored_at: WallClock,
  cost: Money,
  days: Count,
  ...rideSums,
  ...earlier,
})

/** The distance, time and days between two services of a task. */
const Interval = v.strictObject({
  distance: Meters,
  moving_time: Count,
  days: v.pipe(v.number(), v.integer()),
})

const ServiceEvent = v.strictObject({
  id: Id,
  task_id: Id,
  name: v.string(),
  done_at: WallClock,
  note: v.nullable(v.string()),
  maintenance_id: v.nullable(Id),
  cost: v.nullable(Money),
  /** The part's or bike's distance when the task was done, including `earlier_distance`. */
  distance: Meters,
  earlier_distance: earlier.earlier_distance,
  /** Since the task was last done on the same part or bike. Null: the first time. */
  since_last: v.nullable(Interval),
  /** The median of the task's intervals on this part or bike. Null with fewer than two. */
  median: v.nullable(Interval),
  /** How many tasks of its group were done at the same time, itself included. */
  together: Count,
})

/** A row of any recorded table, or null if it wasn't there. */
export const Version = v.nullable(
  v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
)

export const about = {
  relation: v.picklist([
    'maintenance',
    'parts',
    'service_tasks',
    'service_events',
    'wear_measurements',
    'dismissed_checks',
    'attached_logs',
    'bike_details',
    'entry_files',
  ]),
  /** The log entry that the row is about. */
  item: v.nullable(v.strictObject({ id: Id, bikeId: Id, type: v.nullable(v.string()), name: v.string() })),
  task: v.nullable(v.strictObject({ id: Id, gear_id: v.nullable(Id), name: v.string() })),
}

/** A row before and after a change. */
const Change = v.strictObject({ ...about, before: Version, after: Version })

/** The changes made by one action, such as an import. */
const Group = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  last_id: Id,
  changed_at: Instant,
  /** Null: the owner's own script. */
  command: v.nullable(v.string()),
  added: Count,
  edited: Count,
  deleted: Count,
  /** Whether nothing is left to restore. */
  is_done: v.boolean(),
  bikes: v.array(Id),
  /** The first few rows. */
  changes: v.array(Change),
})

/** A row that was changed after the change to undo. */
export const Conflict = v.strictObject({
  ...Change.entries,
  row_id: Id,
  /** `used`: other rows belong to an added row by now. */
  state: v.picklist(['changed', 'deleted', 'used']),
  present: Version,
  added: v.array(v.strictObject({ ...about, row: Version })),
})

/** Gives other software access. */
const Token = v.strictObject({
  id: Id,
  name: v.string(),
  scope: v.picklist(['read', 'read and write', 'calendar']),
  created_at: Instant,
  /** The hour of the last request. Null: never used. */
  last_used_at: v.nullable(Instant),
  /** Null: never. */
  expires_at: v.nullable(Instant),
  is_expired: v.boolean(),
})

/** A part that another one may replace. `is_likely`: of the same kind, and nowhere else. */
const Replaced = v.strictObject({
  id: Id,
  type: v.nullable(v.string()),
  name: v.string(),
  is_likely: v.boolean(),
})

const Size = v.strictObject({ files: Count, bytes: Count })

/** How far a bike's rides went in all, and the days on which they had gone as far as asked. Null: they haven't. */
const Reached = v.strictObject({ gear_id: Id, distance: Meters, days: v.array(v.nullable(Day)) })

export const Answers = v.strictObject({
  days_reached: v.strictObject({ bikes: v.array(Reached) }),
  replaced_parts: v.strictObject({ items: v.array(Replaced) }),
  /** Null: no such bike. */
  log_items: v.nullable(v.strictObject({ items: v.array(LogItem) })),
  stored_parts: v.strictObject({ parts: v.array(StoredPart) }),
  /** Latest first. */
  service_history: v.strictObject({ events: v.array(ServiceEvent) }),
  doubted_rides: v.strictObject({
    rides: v.array(v.strictObject({ id: Id, gear_id: v.nullable(Id), started_at: WallClock })),
  }),
  /** Newest first. */
  tokens: v.strictObject({ tokens: v.array(Token) }),
  /** Newest first. */
  trash: v.strictObject({ groups: v.array(Group) }),
  /** Of all files, with those in the trash. */
  file_sizes: Size,
  /** An IANA name. Null until a browser has stored one. */
  time_zone: v.nullable(v.string()),
})

export type Item = v.InferOutput<typeof Item>
export type LogItem = v.InferOutput<typeof LogItem>
export type Answers = v.InferOutput<typeof Answers>
export type DoubtedRide = Answers['doubted_rides']['rides'][number]
export type Replaced = v.InferOutput<typeof Replaced>
export type StoredPart = v.InferOutput<typeof StoredPart>
export type ServiceEvent = v.InferOutput<typeof ServiceEvent>
export type Reached = v.InferOutput<typeof Reached>
export type Interval = v.InferOutput<typeof Interval>
export type Token = v.InferOutput<typeof Token>
export type Change = v.InferOutput<typeof Change>
export type Group = v.InferOutput<typeof Group>
export type Conflict = v.InferOutput<typeof Conflict>
