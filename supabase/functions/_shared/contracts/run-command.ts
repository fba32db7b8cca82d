// The writes of the SQL function `run_command`: their arguments, what it answers, and who may run them. `private.commands` lists
// the same.
import * as v from 'valibot'
import { END_REASONS, READINGS } from '../limits.ts'
import { KIND_NAMES, POSITIONS } from '../kinds.ts'
import { settingsSchema } from '../formats/settings.ts'
import { about, Conflict, Event, Item, Task, Version } from './data-api.ts'
import { Count, Day, Id, WallClock } from './fields.ts'

const Uuid = v.pipe(v.string(), v.uuid())
const Row = v.record(v.string(), v.unknown())
const Nothing = v.strictObject({})
const Taken = v.strictObject({ id: Id, ended_as: v.nullable(v.picklist(END_REASONS)) })
/** The same for the other tasks of its group. */
const all = { all: v.optional(v.boolean()) }
const Changed = v.strictObject({ ended: v.array(Item), added: v.array(Item) })

const command = <Input extends v.ObjectEntries, Answer extends v.GenericSchema>(
  input: Input,
  Answer: Answer,
) => ({ Input: v.strictObject(input), Answer, isForTokens: false, isJournaled: true })

/** A command that a token that may write can run, too. */
const openCommand = <Input extends v.ObjectEntries, Answer extends v.GenericSchema>(
  input: Input,
  Answer: Answer,
) => ({ ...command(input, Answer), isForTokens: true })

/** A command for what the journal doesn't record, because it is changed back where it was chosen. */
const commandOutside = <Input extends v.ObjectEntries>(input: Input) => ({
  ...command(input, Nothing),
  isJournaled: false,
})

export const WRITES = {
  /** `replaces`: the items that end when the new one starts. */
  add_item: openCommand({ item: Row, replaces: v.optional(v.array(Taken)) }, v.strictObject({ item: Item })),
  /** Saves values of a row, if the owner saw it as `shown`; without that, whatever it has. The row is null if it was removed. */
  edit_row: openCommand(
    {
      relation: v.picklist(['maintenance', 'parts', 'service_tasks', 'wear_measurements', 'entry_files']),
      row_id: Id,
      shown: v.optional(Row),
      wanted: Row,
      ...all,
    },
    v.strictObject({ row: Version }),
  ),
  set_up_bike: command({ gear_id: Id, parts: v.array(Row) }, v.strictObject({ items: v.array(Item) })),
  change_parts: command(
    {
      day: Day,
      take_off: v.array(Taken),
      put_on: v.array(Row),
    },
    Changed,
  ),
  add_task: openCommand(
    {
      task: Row,
      /** One task is added to each, as one group. */
      parts: v.optional(v.array(Id)),
      last_done: v.optional(v.nullable(Day)),
      /** Where a task that was never done counts from. Default: today. */
      count_from: v.optional(v.union([v.literal('installed'), Day])),
    },
    v.strictObject({
      tasks: v.tupleWithRest([Task], Task),
      /** Null: not done yet. */
      events: v.nullable(v.array(Event)),
      /** The log entry of the part that has replaced the task's part, and so got the task. */
      successor: about.item,
    }),
  ),
  correct_event: command({ event_id: Id, shown: Row, wanted: Row, also_done: v.array(Id), ...all }, Nothing),
  mark_done: openCommand(
    {
      task_id: Id,
      /** The newest event on the screen. If the day has a newer one, the answer is that one. */
      seen: v.optional(Id),
      done_on: v.optional(Day),
      cost: v.optional(v.number()),
      note: v.optional(v.string()),
      /** Tasks that were done at the same time. The cost is only of the task itself. */
      also_done: v.optional(v.array(Id)),
      /** What the check of a measured part says, in the unit of its last measurement. */
      value: v.optional(v.number()),
      reading: v.optional(v.picklist(READINGS)),
      tool: v.optional(v.string()),
    },
    v.strictObject({ id: Id }),
  ),
  /** Without an end, ends the snooze. */
  snooze: openCommand(
    {
      task_id: Id,
      until: v.optional(Day),
      days: v.optional(Count),
      distance: v.optional(v.number()),
      also: v.optional(v.array(Id)),
    },
    Nothing,
  ),
  remove_task: openCommand({ task_id: Id, ...all }, Nothing),
  /** Also removes the log entry with its cost. */
  remove_event: command({ event_id: Id, ...all }, Nothing),
  replace_part: openCommand(
    { part_id: Id, ended_as: v.picklist(END_REASONS), day: v.optional(Day), successor: Row },
    Changed,
  ),
  /** `replaces`: the items that end as stored. Without it, the answer is 409 if something is in the part's place. */
  move_part: openCommand(
    { part_id: Id, gear_id: Id, day: v.optional(Day), replaces: v.optional(v.array(Id)) },
    Changed,
  ),
  /** Moves the ends and starts of items, by id, from one time to another. */
  change_part_day: command(
    { from: WallClock, to: WallClock, ended: v.array(Id), started: v.array(Id) },
    Nothing,
  ),
  /** `also_done`: tasks that the measuring has done. */
  add_measurement: openCommand(
    { part_id: Id, measurement: Row, also_done: v.optional(v.array(Id)) },
    v.strictObject({ id: Id }),
  ),
  remove_measurement: command({ id: Id }, Nothing),
  delete_item: openCommand({ bikeId: v.optional(Id), id: Id }, Nothing),
  /** Bytes are base64. */
  add_file: openCommand(
    { item_id: Id, name: v.string(), content: v.string(), thumbnail: v.optional(v.string()) },
    v.strictObject({ file_id: Id }),
  ),
  remove_file: openCommand({ file_id: Id }, Nothing),
  import_items: command(
    {
      added: v.array(Row),
      changed: v.array(Row),
      records: Count,
      /** 0: the log is empty. */
      newest: Count,
      /** Only previews: writes nothing. */
      dry_run: v.optional(v.boolean()),
    },
    v.strictObject({
      written: Count,
      /** Messages of a preview, by line. */
      refused: v.optional(v.record(v.string(), v.string())),
    }),
  ),
  /** `from` was deleted at Ride with GPS, and `to` is the same bike. */
  attach_log: command({ from: Id, to: Id }, Nothing),
  /** Saves what the owner knows of a bike. The row is null if there was nothing to save. */
  bike_details: command(
    { gear_id: Id, shown: v.optional(Row), wanted: Row },
    v.strictObject({ row: Version }),
  ),
  /** `goes_along`: the parts that the buyer gets. The others go to storage. Without a price, the bike was given away. */
  sell_bike: command(
    { gear_id: Id, day: v.optional(Day), price: v.optional(v.nullable(v.number())), goes_along: v.array(Id) },
    v.strictObject({ sold: Count, stored: Count }),
  ),
  /** An item that isn't called `was` any more keeps its name. */
  rename_items: command(
    { names: v.array(v.strictObject({ id: Id, name: v.string(), was: v.optional(v.string()) })) },
    v.strictObject({ renamed: Count }),
  ),
  /** Front and rear of a bike's kind, or of a part's, change places. */
  rotate: openCommand(
    {
      gear_id: v.optional(Id),
      kind: v.optional(v.picklist(KIND_NAMES)),
      part_id: v.optional(Id),
      day: v.optional(Day),
      without_words: v.optional(v.boolean()),
    },
    Changed,
  ),
  /** Without a position, that stays. `cleared`: items that lost theirs, because the new kind has no ends. */
  name_kinds: openCommand(
    {
      parts: v.array(
        v.strictObject({
          id: Id,
          kind: v.nullable(v.picklist(KIND_NAMES)),
          position: v.optional(v.nullable(v.picklist(POSITIONS))),
        }),
      ),
    },
    v.strictObject({ named: Count, cleared: Count }),
  ),
  dismiss_check: command({ key: v.string() }, Nothing),
  /** `even_unsaved`: the change is named after a request that may not have been saved, and then never is. */
  undo: openCommand(
    { change: Uuid, keep_changed: v.optional(v.boolean()), even_unsaved: v.optional(v.boolean()) },
    v.strictObject({ restored: Count, conflicts: v.array(Conflict) }),
  ),
  /** Even if none is named, the owner has chosen. */
  set_settings: commandOutside(v.partial(settingsSchema).entries),
  set_time_zone: commandOutside({ name: v.string() }),
  add_push_subscription: commandOutside({ endpoint: v.string(), p256dh: v.string(), auth: v.string() }),
  remove_push_subscription: commandOutside({ endpoint: v.string() }),
}

/** The tables, columns, bikes and parts that a change wrote. */
export const Touched = v.strictObject({
  tables: v.array(v.string()),
  /** Of the log. `*` stands for all, and `service` for the entry of a service. */
  columns: v.array(v.string()),
  bikes: v.array(Id),
  /** Null: more than 100. */
  parts: v.nullable(v.array(Id)),
})

export type Touched = v.InferOutput<typeof Touched>

export type WriteName = keyof typeof WRITES

export type WriteInput<Name extends WriteName> = v.InferInput<(typeof WRITES)[Name]['Input']>

/** The answer to a write. The change is null if there was nothing to write. */
export type Written<Name extends WriteName> = {
  answer: v.InferOutput<(typeof WRITES)[Name]['Answer']>
  change: string | null
  touched: Touched
}
