import { AXES, columnsByAxis } from '../axes.ts'
import type { Change, Conflict, Group } from '../contracts/data-api.ts'
import type { WriteName } from '../contracts/run-command.ts'
import { type EntryField, ENTRY_FIELDS } from '../entry-fields.ts'
import { dayOf } from '../formats/days.ts'
import { counted, formatCount, formatHours, type Formats, shorten } from '../formats/formats.ts'

type Relation = Change['relation']
type Values = Readonly<NonNullable<Change['before']>>

type Column = { label: string; format: (value: string | number | boolean, formats: Formats) => string }

const day: Column['format'] = (value, formats) => formats.day(dayOf(String(value)))
const distance: Column['format'] = (meters, { distance }) => distance.format(Number(meters))
const money: Column['format'] = (amount, { money }) => money(Number(amount))
const text = (label: string): Column => ({ label, format: String })

const KINDS: Record<EntryField['kind'], Column['format']> = {
  select: String,
  text: String,
  cost: money,
  date: day,
}

const entryColumns = Object.entries<EntryField>(ENTRY_FIELDS).map(
  ([name, { label, kind }]) => [name, { label, format: KINDS[kind] }] as const,
)

/** The columns that the owner sees. */
const COLUMNS: Record<Relation, Record<string, Column>> = {
  maintenance: {
    ...Object.fromEntries(entryColumns),
    position: text('Position'),
    ended_as: text('Reason removed'),
  },
  parts: {
    kind: text('Kind'),
    earlier_distance: { label: 'Earlier distance', format: distance },
    earlier_moving_time: { label: 'Earlier time', format: (seconds) => formatHours(Number(seconds)) },
  },
  service_tasks: {
    name: text('Task'),
    kind: text('Kind'),
    ...columnsByAxis((axis) => ({
      label: 'Every',
      format: (limit, formats) => `${AXES[axis].number(Number(limit), formats)} ${AXES[axis].unit(formats)}`,
    })),
    due_on: { label: 'Due', format: day },
    outdoor_only: { label: 'Outdoor rides only', format: (is) => (is ? 'yes' : 'no') },
    snoozed_until: { label: 'Snoozed until', format: day },
    snoozed_distance: { label: 'Snoozed until', format: distance },
  },
  service_events: {
    // The form has the day and the cost, the row has the time.
    done_on: { label: 'Day', format: day },
    done_at: { label: 'Day', format: day },
    cost: { label: 'Cost', format: money },
    note: text('Note'),
  },
  wear_measurements: {
    measured_on: { label: 'Day', format: day },
    value: text('Value'),
    reading: text('Reading'),
    unit: text('Unit'),
    tool: text('Tool'),
    limit: text('Limit'),
    note: text('Note'),
  },
  dismissed_checks: {},
  attached_logs: {},
  bike_details: {
    serial_number: text('Serial number'),
    size: text('Size'),
    color: text('Color'),
    sold_on: { label: 'Sold on', format: day },
    sold_for: { label: 'Sold for', format: money },
  },
  entry_files: {
    name: text('File'),
    in_passport: { label: 'In the passport', format: (is) => (is ? 'yes' : 'no') },
  },
}

/** Lists the values that differ: `Cost $45.00 → $54.00`. */
export function differences(relation: Relation, from: Values, to: Values, formats: Formats): string {
  const format = ({ format }: Column, value: Values[string] = null) =>
    (value !== null && short(format(value, formats))) || 'empty'
  return Object.entries(COLUMNS[relation])
    .map(([name, column]) => [column.label, format(column, from[name]), format(column, to[name])] as const)
    .filter(([, before, after]) => before !== after)
    .map(([label, before, after]) => `${label} ${before} → ${after}`)
    .join(', ')
}

/** Lists the values that are there: `Cost $45.00, Note Hot wax`. */
export const listed = (relation: Relation, values: Values, formats: Formats): string =>
  Object.entries(COLUMNS[relation])
    .flatMap(([name, { label, format }]) => {
      const known = values[name]
      return known ? [`${label} ${short(format(known, formats))}`] : []
    })
    .join(', ')

type Row = Pick<Change, 'relation' | 'item' | 'task'> & { row: Values | null }

const value = (row: Values | null, column: string) => String(row?.[column] ?? '')

/** Names a row: `Chain`, `Wax`, `Wax of 03/01/2026`, `Measurement of 03/01/2026 (0.5 chain %)`. */
function nameOf({ relation, item, task, row }: Row, formats: Formats): string {
  switch (relation) {
    case 'maintenance':
    case 'service_tasks':
    case 'entry_files':
      return short(value(row, 'name'))
    case 'parts':
      return short(item?.name ?? 'A part')
    case 'service_events':
      return `${short(task?.name ?? 'Service')} of ${formats.day(dayOf(value(row, 'done_at')))}`
    case 'wear_measurements': {
      const words = [value(row, 'reading'), value(row, 'value'), value(row, 'unit')].filter(Boolean)
      return `Measurement of ${formats.day(dayOf(value(row, 'measured_on')))} (${short(words.join(' '))})`
    }
    case 'attached_logs':
      return 'The attached log'
    case 'bike_details':
      return 'What is known of the bike'
    case 'dismissed_checks':
      break
  }
  return 'A line of To check'
}

const rowOf = (change: Change): Row => ({ ...change, row: change.after ?? change.before })

/** Says what the rider did: `Deleted Chain, 03/01/2024`, `Done: Wax`, `Moved Hunt 44 and 2 tires to Warbird`. */
export function titleOf(group: Group, formats: Formats, bikeName: (id: number) => string): string {
  return (ownTitleOf(group) ?? titleOfRows)(group, formats, bikeName)
}

type Title = typeof titleOf

const ownTitleOf = ({ command, edited }: Group) =>
  // A new entry may end what it replaces.
  command === 'add_item' && edited > 0 ? titleOfParts : TITLES[command as WriteName]

/** Commands whose rows don't say what they are for. */
const TITLES: { [Command in WriteName]?: Title } = {
  import_items: (group) => `Imported ${countEntries(countOf(group))}`,
  set_up_bike: ({ bikes }, _formats, bikeName) => `Set up ${short(bikes.map(bikeName).join(', '))}`,
  attach_log({ changes }, _formats, bikeName) {
    const { after } = changes.find(({ relation }) => relation === 'attached_logs')!
    return `Attached the log of a former bike to ${short(bikeName(Number(after!['gear_id'])))}`
  },
  bike_details: ({ bikes }, _formats, bikeName) => `Edited ${short(bikes.map(bikeName).join(', '))}`,
  sell_bike({ bikes, edited, added }, _formats, bikeName) {
    // One row is the bike's own.
    const parts = edited + added - 1
    return `Sold ${short(bikes.map(bikeName).join(', '))}${parts > 0 ? `, ${counted(parts, 'part')} sold or stored` : ''}`
  },
  change_parts: titleOfParts,
  replace_part: titleOfParts,
  move_part: titleOfParts,
  rotate({ changes, added }) {
    const put = changes.flatMap(({ before, after }) => (before ? [] : [after!]))
    return `Rotated ${nameParts(put, added)}`
  },
  name_kinds(group) {
    const parts = group.changes.filter(({ relation }) => relation === 'parts')
    return parts.length === 1
      ? `Said what ${short(parts[0]!.item?.name ?? 'a part')} is`
      : 'Said what parts are'
  },
  change_part_day({ changes }, formats) {
    const { after } = changes[0]!
    const day = dayOf(value(after, 'dateEnded') || value(after, 'dateStarted'))
    return `Changed the day of ${short(value(after, 'name'))} to ${formats.day(day)}`
  },
  rename_items(group) {
    const [{ before, after }] = group.changes as [Change]
    if (countOf(group) === 1)
      return `Renamed ${short(value(before, 'name'))} to ${short(value(after, 'name'))}`
    const names = new Set(group.changes.map(({ after }) => short(value(after, 'name'))))
    return `Renamed ${countEntries(countOf(group))}${names.size === 1 ? ` to ${[...names].join()}` : ''}`
  },
  mark_done({ changes, added }, formats) {
    const { task, after } = changes.find(({ relation }) => relation === 'service_events')!
    // Its cost and measurement are among the first rows.
    const others = added - changes.filter(({ relation }) => relation !== 'service_events').length - 1
    const cost = changes.find(({ relation }) => relation === 'maintenance')?.after?.['cost']
    const doneAt = value(after, 'done_at')
    return [
      `Done: ${short(task?.name ?? 'Service')}${others > 0 ? ` and ${formatCount(others)} more` : ''}`,
      // A day that the owner chose is stored as 01:00.
      ...(doneAt.endsWith('T01:00:00') ? [formats.day(dayOf(doneAt))] : []),
      ...(cost ? [formats.money(Number(cost))] : []),
    ].join(', ')
  },
  snooze({ changes: [change] }, formats) {
    const name = short(value(change!.after, 'name'))
    const { snoozed_until: until, snoozed_distance: distance } = change!.after!
    const ends = [
      ...(until ? [formats.day(dayOf(String(until)))] : []),
      ...(distance ? [formats.distance.format(Number(distance))] : []),
    ]
    return ends.length > 0 ? `Snoozed ${name} until ${ends.join(' or ')}` : `Ended the snooze of ${name}`
  },
}

/** Describes a replacement, move, installation or storing. What is put on comes first. */
function titleOfParts(
  { changes, added, edited }: Group,
  _formats: Formats,
  bikeName: (id: number) => string,
) {
  const put = changes.flatMap(({ before, after }) => (before ? [] : [after!]))
  const taken = changes.flatMap(({ before }) => (before ? [before] : []))
  const [first] = put
  if (!first) return `Stored ${nameParts(taken, edited)}`
  const replaced = taken.find(({ id }) => id === first['replaces'])
  if (first['replaces']) {
    const [from, to] = [replaced ?? first, first].map((item) => short(value(item, 'name')))
    return `Replaced ${from}${from === to ? '' : ` with ${to}`}`
  }
  const going = put.filter(({ bikeId }) => bikeId === first['bikeId'])
  const back = put.filter((item) => !going.includes(item))
  const parts = nameParts(going, added - back.length)
  const bike = short(bikeName(Number(first['bikeId'])))
  if (edited === 0) return `Installed ${parts} on ${bike}`
  return `Moved ${parts} to ${bike}${back.length > 0 ? `, and ${nameParts(back, back.length)} back` : ''}`
}

/** Names parts of which the first ones are known: `Hunt 44 and 2 tires`. */
function nameParts([first, ...others]: readonly Values[], count: number): string {
  const types = new Set(others.map(({ type }) => String(type)))
  const [type] = types
  // "Tires" and "Wheels" can be counted.
  const isCounted = types.size === 1 && others.length === count - 1 && type!.endsWith('s')
  const name = short(value(first!, 'name'))
  if (count === 1) return name
  if (count === 2 && others.length === 1) return `${name} and ${short(value(others[0]!, 'name'))}`
  return `${name} and ${formatCount(count - 1)} ${isCounted ? type!.toLowerCase() : 'more'}`
}

function titleOfRows(group: Group, formats: Formats): string {
  const leads = leadsOf(group)
  const [first] = leads
  const others =
    leads.length - 1 + (leads.length === group.changes.length ? countOf(group) - leads.length : 0)
  if (first!.relation === 'maintenance' || first!.relation === 'parts') {
    const verb = LOG_VERBS[kindOf(group)]
    const row = rowOf(first!)
    if (others > 0) return `${verb} ${countEntries(others + 1)}`
    const isEdit = first!.before && first!.after
    return `${verb} ${nameOf(row, formats)}${isEdit ? '' : `, ${formats.day(dayOf(value(row.row, 'dateStarted')))}`}`
  }
  const more = others > 0 ? ` and ${formatCount(others)} more` : ''
  return `${nameOf(rowOf(first!), formats)}${more} ${more ? 'were' : 'was'} ${doneTo(first!, group)}`
}

const PRIORITIES: readonly Relation[] = [
  'service_tasks',
  'service_events',
  'wear_measurements',
  'maintenance',
  'parts',
  'entry_files',
  'dismissed_checks',
  'attached_logs',
  'bike_details',
]

/** Returns the rows that a group is about. The cost of a service is a log entry, and new parts may come with tasks. */
function leadsOf({ changes }: Group): Change[] {
  const of = (relation: Relation) => changes.filter((change) => change.relation === relation)
  const hasTasks = of('service_tasks').length > 0
  if (hasTasks && of('maintenance').length > 0) return of('maintenance')
  return PRIORITIES.map(of).find((leads) => leads.length > 0)!
}

const LOG_VERBS = {
  added: 'Added',
  edited: 'Edited',
  deleted: 'Deleted',
  mixed: 'Changed',
  restored: 'Restored',
  removed: 'Removed',
}

function kindOf(group: Group): keyof typeof LOG_VERBS {
  const leads = leadsOf(group)
  const all = (match: (change: Change) => boolean) => leads.every(match)
  if (group.command === 'undo') return all(({ after }) => !after) ? 'removed' : 'restored'
  if (all(({ before }) => !before)) return 'added'
  if (all(({ after }) => !after)) return 'deleted'
  return all(({ before, after }) => Boolean(before && after)) ? 'edited' : 'mixed'
}

function doneTo({ relation, after }: Change, group: Group): string {
  const kind = kindOf(group)
  if (kind === 'restored') return kind
  if (relation === 'dismissed_checks') return after ? 'dismissed' : 'brought back'
  if (kind === 'added') return kind
  return kind === 'deleted' || kind === 'removed' ? 'removed' : 'changed'
}

/** Returns the part of a task, service or measurement. Null if the title names it. */
export function partOf(group: Group): string | null {
  const { relation, item } = leadsOf(group)[0]!
  return item === null || relation === 'maintenance' || relation === 'parts' ? null : short(item.name)
}

/** Describes a single row's edit: `Cost $45.00 → $54.00`. Returns null for other groups. */
export function editsOf(group: Group, formats: Formats): string | null {
  const [first, second] = leadsOf(group)
  if (second || !first?.before || !first.after || ownTitleOf(group)) return null
  return differences(first.relation, first.before, first.after, formats) || null
}

/** Lists the names of several rows. Returns null if the title names them. */
export function namesOf(group: Group, formats: Formats): string | null {
  const isSwap = ownTitleOf(group) === titleOfParts && Math.max(group.added, group.edited) <= 2
  if (countOf(group) === 1 || isSwap || NAMED.has(group.command)) return null
  const leads = leadsOf(group)
  const rest = leads.length === 1 ? group.changes.filter((change) => change !== leads[0]) : group.changes
  const names = [...new Set(rest.map((change) => nameOf(rowOf(change), formats)))]
  const others = countOf(group) - group.changes.length
  return names.join(', ') + (others > 0 ? ` and ${formatCount(others)} more` : '')
}

/** Commands whose title names what they wrote. */
const NAMED = new Set<string | null>(['change_part_day', 'mark_done', 'attach_log', 'bike_details'])

const countOf = ({ added, edited, deleted }: Group) => added + edited + deleted

/** Explains why a row couldn't be restored, with its old and current values. */
export function conflictText(conflict: Conflict, formats: Formats): string {
  const { relation, state, before, after, present, added } = conflict
  const name = nameOf({ ...conflict, row: present ?? after ?? before }, formats)
  if (state === 'used') {
    const names = [...new Set(added.map((row) => nameOf(row, formats)))].join('; ')
    return `${name} has later entries: ${names}. Undo or remove them first.`
  }
  // A file comes back with its entry.
  const missing = relation === 'entry_files' && !after ? (conflict.item?.name ?? name) : name
  if (!present) return `${short(missing)} was deleted since. Restore it first.`
  if (!after) return `${name} is back, and ${editedSince(relation, before!, present, formats)}`
  // Ignores columns that the undone edit did not change.
  const undone = Object.keys(present).filter((column) => !before || before[column] !== after[column])
  const edited = { ...after, ...Object.fromEntries(undone.map((column) => [column, present[column]!])) }
  return `${name} ${editedSince(relation, after, edited, formats)}`
}

function editedSince(relation: Relation, from: Values, to: Values, formats: Formats): string {
  const list = differences(relation, from, to, formats)
  return `was edited since${list && `: ${list}`}.`
}

const countEntries = (count: number) => counted(count, 'log entry', 'log entries')

const short = (text: string) => shorten(text.replaceAll(/\s+/g, ' '))
