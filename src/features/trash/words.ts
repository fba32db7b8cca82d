import { dayOf, formatDay } from '../../lib/days.ts'
import { type AppError, messageFor } from '../../lib/errors.ts'
import { formatCount } from '../../lib/formats.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS, type Item } from '../maintenance'
import type { Conflict, Group } from './api.ts'

/** What happened, in one line: `Deleted Chain, 03/01/2024`. `bikeName` names a bike by its id. */
export function titleOf(group: Group, bikeName: (id: number) => string): string {
  const { source, added, edited, deleted, changes } = group
  const total = added + edited + deleted
  const only = total === 1 ? changes[0] : undefined
  if (source === 'import') return `Imported ${countEntries(total)}`
  if (source === 'edit' && added > 0 && edited > 0 && deleted === 0) return swapTitle(group, bikeName)
  const verb = verbOf(group)
  if (!only) return `${verb} ${countEntries(total)}`
  const item = (only.after ?? only.before)!
  if (only.before && only.after) return `${verb} ${short(item.name)}: ${editsOf(only.before, only.after)}`
  return `${verb} ${short(item.name)}, ${formatDay(dayOf(item.dateStarted))}`
}

function verbOf({ source, added, edited, deleted }: Group): string {
  const total = added + edited + deleted
  if (source === 'restore') return deleted === total ? 'Removed' : 'Restored'
  if (added === total) return 'Added'
  if (edited === total) return 'Edited'
  return deleted === total ? 'Deleted' : 'Changed'
}

/** Items that ended when others started: parts were replaced or moved. */
function swapTitle({ added, edited, changes }: Group, bikeName: (id: number) => string): string {
  const started = changes.find(({ before }) => before === null)?.after
  const ended = changes.find(
    ({ before, after }) => before && after && after.dateEnded === started?.dateStarted,
  )
  if (!started || !ended?.after) return `Changed ${countEntries(added + edited)}`
  const name = short(ended.after.name)
  const others = added > 1 ? ` and ${formatCount(added - 1)} more` : ''
  if (ended.after.part_id !== started.part_id) return `Replaced ${name}${others}`
  return `Moved ${name}${others} to ${short(bikeName(started.bikeId))}`
}

/** The names of the items, if the title only counts them. */
export function namesOf({ added, edited, deleted, changes }: Group): string | null {
  const total = added + edited + deleted
  if (total < 2) return null
  const names = [...new Set(changes.map(({ before, after }) => short((after ?? before)!.name)))]
  const others = total - changes.length
  return names.join(', ') + (others > 0 ? ` and ${formatCount(others)} more` : '')
}

/** The columns that differ: `Cost $45.00 → $54.00`. */
function editsOf(from: Item, to: Item): string {
  return CSV_FIELD_NAMES.filter((field) => from[field] !== to[field])
    .map((field) => {
      const { label, format } = CSV_FIELDS[field]
      return `${label} ${short(format(from[field])) || 'empty'} → ${short(format(to[field])) || 'empty'}`
    })
    .join(', ')
}

/** Why an item could not be restored, with what it was and what it is now. */
export function conflictText({ before, after, present }: Conflict): string {
  const name = short((present ?? after ?? before)!.name)
  if (!present) return `${name} was deleted since. Restore it first.`
  if (!after) return `${name} is in the log again, and was edited since: ${editsOf(before!, present)}.`
  // Of an edited item, only the columns that were edited matter.
  const edited = before
    ? { ...after, ...Object.fromEntries(editedFields(before, after).map((field) => [field, present[field]])) }
    : present
  return `${name} was edited since: ${editsOf(after, edited)}.`
}

function editedFields(before: Item, after: Item) {
  return CSV_FIELD_NAMES.filter((field) => before[field] !== after[field])
}

const MESSAGES: Record<string, string> = {
  RMT30: 'It happened more than 30 days ago.',
  '23503': 'Its bike is no longer in the tracker.',
  duplicate: 'The log has this entry again.',
}

/** Why restoring failed. */
export function restoreFailure(error: AppError): string {
  // The database names the period in the way and suggests another day, which Restore can't choose.
  return MESSAGES[error.code] ?? messageFor(error).replace(' Choose another day.', '')
}

const countEntries = (count: number) => `${formatCount(count)} log ${count === 1 ? 'entry' : 'entries'}`

/** A longer name or description would fill the dialog. */
const MAX_LENGTH = 80

function short(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '))
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : characters.join('')
}
