import type { Touched } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { ENTRY_FIELD_NAMES } from '../../supabase/functions/_shared/entry-fields.ts'
import type { Column, Input } from './inputs.ts'

const COLUMNS: readonly Column[] = [...ENTRY_FIELD_NAMES, 'service']

/** Returns the inputs that a command touched. */
export function inputsOf({ tables, columns, bikes, parts }: Touched): Input[] {
  const known = COLUMNS.filter((column) => columns.includes(column))
  // Columns that the client doesn't tell apart count as all, as "*" does.
  const written = known.length < columns.length ? undefined : known
  const touchesTasks = tables.includes('service_tasks') || tables.includes('service_events')
  return [
    ...(columns.length > 0 ? bikes.map((bike) => ({ of: 'log', bike, columns: written }) as const) : []),
    ...(touchesTasks ? bikes.map((bike) => ({ of: 'tasks', bike }) as const) : []),
    ...(tables.includes('entry_files')
      ? bikes.map((bike) => ({ of: 'log', bike, columns: ['files'] }) as const)
      : []),
    ...(tables.includes('wear_measurements')
      ? (parts?.map((part) => ({ of: 'measurements', part }) as const) ?? (['measurements'] as const))
      : []),
    ...(tables.includes('dismissed_checks') ? (['dismissals'] as const) : []),
    ...(tables.includes('settings') ? (['settings'] as const) : []),
    // The owner's time zone decides until which moment rides count, and attached logs for which bike.
    ...(tables.includes('owner') || tables.includes('attached_logs') ? (['rides'] as const) : []),
    ...(tables.includes('bike_details') ? (['bikes'] as const) : []),
  ]
}
