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
    with items as materialized (
      select *, row_number() over () as place
      from json_populate_recordset(null::public.maintenance, ${JSON.stringify(sampleLog(new Date()))}::text::json)
      where not exists (select from public.maintenance)
    ), shared as materialized (
      select label, private.add_part() as id from (select distinct part_id from items where part_id is not null) as labels (label)
    )
    insert into public.maintenance (type, name, description, cost, "dateStarted", "dateEnded", ended_as, "bikeId", part_id)
    select type, name, description, coalesce(cost, 0), "dateStarted", "dateEnded", ended_as, "bikeId",
      coalesce(shared.id, private.add_part())
    from items left join shared on shared.label = items.part_id
    order by place`
  await writeFile(marker, '')
}
