import { formatNumber } from './formats/formats.ts'
import { METERS_PER_MILE } from './formats/units.ts'

/**
 * The limits and fixed lists of what the owner enters, by table and column, except those of ENTRY_FIELDS. Constraints
 * enforce the same in SQL, and tests/database/limits.test.ts compares them.
 */
export const MAX_LENGTH = {
  service_tasks: { name: 200 },
  service_events: { note: 10_000 },
  wear_measurements: { unit: 40, tool: 200, note: 10_000 },
  bike_details: { serial_number: 100, size: 100, color: 100 },
  entry_files: { name: 200 },
  dismissed_checks: { key: 500 },
  access_tokens: { name: 100 },
} as const

/** Says how long a text may be. */
export const tooLong = (maxLength: number) => `Use at most ${formatNumber(maxLength)} characters.`

/** The largest distance that can be entered, in miles or kilometers. Like the other numbers, it only catches typos. */
export const MAX_DISTANCE = 100_000
export const MAX_HOURS = 10_000
export const MAX_DAYS = 3650
/** In any unit of wear, for the value and its limit. */
export const MAX_WEAR = 1000

/** The largest stored numbers: meters, seconds. */
export const MAX_METERS = MAX_DISTANCE * METERS_PER_MILE
export const MAX_SECONDS = MAX_HOURS * 3600

export const TYPES = [
  'Frame',
  'Wheels',
  'Pedals',
  'Tires',
  'Drivetrain',
  'Brakes',
  'Handlebar',
  'Saddle',
] as const

/** Why a part was removed. Replace defaults to the first reason. */
export const END_REASONS = ['worn', 'damaged', 'stored', 'moved', 'sold'] as const

export const TASK_KINDS = ['service', 'replace', 'check'] as const

/** The readings of a wear gauge without a number. */
export const READINGS = ['under', 'at', 'over'] as const
