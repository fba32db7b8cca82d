import { AXES, AXIS_KEYS, LISTED_AXES, RIDE_AXES } from './axes.ts'
import { ENTRY_FIELD_NAMES, type EntryField, entryField } from './entry-fields.ts'
import { WRONG_YEAR } from './formats/days.ts'
import { formatNumber } from './formats/formats.ts'
import { LINK } from './formats/links.ts'
import { MAX_LENGTH, MAX_WEAR, tooLong } from './limits.ts'

// The client needs these before sign-in, and the checks only when it saves.
export { DATABASE_ERRORS } from './messages/error-messages.ts'

const fromList = (noun: string) => `Choose a ${noun} from the list.`
const nonBlank = (noun: string, maxLength: number) =>
  `Enter a ${noun} of up to ${formatNumber(maxLength)} characters.`
const fromZero = (max: number) => `Enter a number from 0 to ${formatNumber(max)}.`
const OWN = 'The tracker made a mistake, so nothing was saved.'
const WRONG_KEY = 'The browser sent a key for notifications that the tracker can’t use.'

/** Messages for violated check constraints, by name. `OWN` is for columns that only the tracker itself writes. */
export const CHECKS = {
  ...byName(ENTRY_FIELD_NAMES, (name) => [`maintenance_${name}_check`, entryMessage(entryField(name))]),
  maintenance_years_check: WRONG_YEAR,
  maintenance_ends_after_start_check: 'The end is before the start.',
  maintenance_ended_as_check: fromList('reason'),
  maintenance_ended_as_needs_end_check: 'The entry has no end.',
  maintenance_position_check: 'Only a kind of part with a front and a rear has a position.',
  parts_kind_check: fromList('kind'),
  ...byName(RIDE_AXES, (axis) => [`parts_${AXES[axis].ride.earlier}_check`, fromZero(AXES[axis].max)]),
  service_tasks_name_check: nonBlank('name', MAX_LENGTH.service_tasks.name),
  service_tasks_kind_check: fromList('kind'),
  service_tasks_limit_check: `Enter at least one limit: ${LISTED_AXES}.`,
  ...byName(AXIS_KEYS, (axis) => [`service_tasks_${axis}_check`, 'Enter a smaller limit, above 0.']),
  service_tasks_once_check:
    'A task that is done once is due on a day, not every so many days. Other tasks have no day and no other task.',
  service_tasks_due_on_check: WRONG_YEAR,
  service_tasks_counted_from_check: WRONG_YEAR,
  service_tasks_years_check: WRONG_YEAR,
  service_tasks_snoozed_distance_check: 'Enter a shorter distance.',
  service_tasks_snooze_check: 'Snooze until a day or for a distance, not both.',
  service_tasks_part_or_bike_check: 'A task belongs to a part or to a bike.',
  service_events_years_check: WRONG_YEAR,
  service_events_note_check: tooLong(MAX_LENGTH.service_events.note),
  wear_measurements_day_check: WRONG_YEAR,
  wear_measurements_value_check: fromZero(MAX_WEAR),
  wear_measurements_reading_check: fromList('reading'),
  wear_measurements_value_or_reading_check: 'Enter a value, or choose what the gauge says.',
  wear_measurements_unit_check: nonBlank('unit', MAX_LENGTH.wear_measurements.unit),
  wear_measurements_tool_check: tooLong(MAX_LENGTH.wear_measurements.tool),
  wear_measurements_limit_check: fromZero(MAX_WEAR),
  wear_measurements_note_check: tooLong(MAX_LENGTH.wear_measurements.note),
  ...byName(['serial_number', 'size', 'color'] as const, (name) => [
    `bike_details_${name}_check`,
    nonBlank(name.replace('_', ' '), MAX_LENGTH.bike_details[name]),
  ]),
  bike_details_sold_on_check: WRONG_YEAR,
  bike_details_sold_for_check: 'Enter a price of 0 or more.',
  entry_files_name_check: nonBlank('name', MAX_LENGTH.entry_files.name),
  entry_files_media_type_check: OWN,
  entry_files_size_check: OWN,
  file_contents_thumbnail_check: OWN,
  file_contents_sha256_check: OWN,
  dismissed_checks_key_check: nonBlank('key', MAX_LENGTH.dismissed_checks.key),
  settings_distance_check: fromList('unit'),
  settings_dates_check: fromList('date format'),
  settings_currency_check: fromList('currency'),
  settings_week_start_check: fromList('day'),
  access_tokens_name_check: nonBlank('name', MAX_LENGTH.access_tokens.name),
  access_tokens_scope_check: fromList('scope'),
  push_subscriptions_endpoint_check: 'The tracker doesn’t know the push service of this browser.',
  push_subscriptions_p256dh_check: WRONG_KEY,
  push_subscriptions_auth_check: WRONG_KEY,
  attached_logs_two_bikes_check: OWN,
  calendar_feed_is_the_one_check: OWN,
  changes_before_or_after_check: OWN,
  channel_states_error_check: OWN,
  owner_is_the_one_check: OWN,
  settings_is_the_one_check: OWN,
  ride_syncs_finished_check: OWN,
  ride_syncs_mismatch_check: OWN,
  ride_syncs_outcome_check: OWN,
  ride_syncs_pending_check: OWN,
  ride_syncs_triggered_by_check: OWN,
}

function byName<Name>(names: readonly Name[], entryOf: (name: Name) => [string, string | undefined]) {
  return Object.fromEntries(
    names.map(entryOf).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** Returns undefined if no constraint is the field's own. */
function entryMessage(field: EntryField): string | undefined {
  const noun = field.label.toLowerCase()
  switch (field.kind) {
    case 'select':
      return fromList(noun)
    case 'text':
      return `${nonBlank(noun, field.maxLength)}${field.isLink ? ` ${LINK.message}` : ''}`
    case 'cost':
      return `Enter a valid ${noun}.`
    default:
      return undefined
  }
}

/** Returns the name of the check constraint that a message of PostgreSQL says was violated. */
export const checkIn = (message: string): string | undefined =>
  /constraint "(\w+)"/.exec(message.replace(/relation "\w+"/, ''))?.[1]
