import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { sampleLog } from '../sample/log.ts'

/** The file that marks the sample log as created. */
export const sampleLogMarker = (prefix: string) => `${prefix}-log-seeded`

/** Creates the sample log once. A log that the user empties stays empty. */
export async function seedSampleLog(sql: Sql, prefix: string): Promise<void> {
  const marker = sampleLogMarker(prefix)
  if (existsSync(marker)) return
  await sql`
    insert into public.maintenance (type, name, description, cost, "dateStarted", "dateEnded", "bikeId")
    select type, name, description, coalesce(cost, 0), "dateStarted", "dateEnded", "bikeId"
    from json_populate_recordset(null::public.maintenance, ${JSON.stringify(sampleLog(new Date()))}::text::json)
    where not exists (select from public.maintenance)`
  await writeFile(marker, '')
}
