import { dayOf, formatDay } from '../../lib/days.ts'
import { type AppError, messageFor } from '../../lib/errors.ts'
import { formatCount } from '../../lib/formats.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS, type CsvItem } from '../items/csv.ts'
import { type Item } from '../items/fields.ts'
import type { Conflict, Group } from './api.ts'

/** Describes a group: `Deleted Chain, 03/01/2024`. */
export function titleOf(group: Group, bikeName: (id: number) => string): string {
  const total = countOf(group)
  if (group.source === 'import') return `Imported ${countEntries(total)}`
  const swapped = swapOf(group)
  if (swapped) return swapTitle(group, swapped, bikeName)
  const verb = verbOf(group, total)
  if (total !== 1) return `${verb} ${countEntries(total)}`
  const { before, after } = group.changes[0]!
  const item = (after ?? before)!
  return `${verb} ${short(item.name)}${before && after ? '' : `, ${formatDay(dayOf(item.dateStarted))}`}`
}

/** Describes a single item's edit: `Cost $45.00 → $54.00`. Returns null for other groups. */
export function editsOf(group: Group): string | null {
  const { before, after } = group.changes[0]!
  return countOf(group) === 1 && before && after ? differences(before, after) : null
}

/** Lists the names of several items. Returns null if the title names the item. */
export function namesOf(group: Group): string | null {
  if (countOf(group) === 1 || (swapOf(group) && group.added === 1)) return null
  const names = [...new Set(group.changes.map(({ before, after }) => short((after ?? before)!.name)))]
  const others = countOf(group) - group.changes.length
  return names.join(', ') + (others > 0 ? ` and ${formatCount(others)} more` : '')
}

const countOf = ({ added, edited, deleted }: Group) => added + edited + deleted

function verbOf({ source, added, edited, deleted }: Group, total: number): string {
  if (source === 'restore') return deleted === total ? 'Removed' : 'Restored'
  if (added === total) return 'Added'
  if (edited === total) return 'Edited'
  return deleted === total ? 'Deleted' : 'Changed'
}

/** Returns whether a group only deleted items, so undoing it restores them. */
export const isDeletion = (group: Group): boolean =>
  group.source !== 'restore' && group.deleted === countOf(group)

type Swap = { ended: Item; started: Item }

/** Finds an item that ended when another started, because a part was replaced or moved. */
function swapOf({ source, added, edited, deleted, changes }: Group): Swap | null {
  if (source !== 'edit' || added === 0 || edited === 0 || deleted > 0) return null
  const started = changes.find(({ before }) => before === null)?.after
  const ended = changes.find(
    ({ before, after }) => before && after?.dateEnded === started?.dateStarted,
  )?.after
  return started && ended ? { ended, started } : null
}

function swapTitle({ added }: Group, { ended, started }: Swap, bikeName: (id: number) => string): string {
  const name = short(ended.name)
  const others = added > 1 ? ` and ${formatCount(added - 1)} more` : ''
  if (ended.part_id === started.part_id) return `Moved ${name}${others} to ${short(bikeName(started.bikeId))}`
  const successor = started.name === ended.name || others ? '' : ` with ${short(started.name)}`
  return `Replaced ${name}${others}${successor}`
}

function differences(from: CsvItem, to: CsvItem): string {
  return editedFields(from, to)
    .map((field) => {
      const { label, format } = CSV_FIELDS[field]
      return `${label} ${short(format(from[field] ?? null)) || 'empty'} → ${short(format(to[field] ?? null)) || 'empty'}`
    })
    .join(', ')
}

/** Explains why an item couldn't be restored, with its old and current values. */
export function conflictText({ before, after, present }: Conflict): string {
  const name = short((present ?? after ?? before)!.name)
  if (!present) return `${name} was deleted since. Restore it first.`
  if (!after) return `${name} is in the log again, and was edited since: ${differences(before!, present)}.`
  // Ignores columns that the reverted edit did not change.
  const edited = before
    ? { ...after, ...Object.fromEntries(editedFields(before, after).map((field) => [field, present[field]])) }
    : present
  return `${name} was edited since: ${differences(after, edited)}.`
}

function editedFields(before: CsvItem, after: CsvItem) {
  return CSV_FIELD_NAMES.filter((field) => before[field] !== after[field])
}

export function restoreFailure(error: AppError): string {
  // The database's message suggests another day, which Restore can't choose.
  return messageFor(error).replace(' Choose another day.', '')
}

const countEntries = (count: number) => `${formatCount(count)} log ${count === 1 ? 'entry' : 'entries'}`

/** Longer names and descriptions would fill the dialog. */
const MAX_LENGTH = 80

function short(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '))
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : characters.join('')
}
