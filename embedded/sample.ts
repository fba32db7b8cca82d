import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { sampleLog } from '../sample/log.ts'
import { sampleService } from '../sample/service.ts'
import { proposeKind } from '../supabase/functions/_shared/parts/propose.ts'

export const sampleLogMarker = (prefix: string) => `${prefix}-log-seeded`

/** Returns whether the last sync or check succeeded within the past hour, so the tracker can start without a sync. */
export async function hasFreshRides(sql: Sql): Promise<boolean> {
  const [last] = await sql<{ isFresh: boolean }[]>`
    select outcome = 'ok' and coalesce(checked_at, started_at) > now() - interval '1 hour' as "isFresh"
    from public.ride_syncs order by started_at desc limit 1`
  return last?.isFresh ?? false
}

/** Creates the sample log and its service tasks once. A log that the user empties stays empty. */
export async function seedSampleLog(sql: Sql, prefix: string): Promise<void> {
  const marker = sampleLogMarker(prefix)
  if (existsSync(marker)) return
  const now = new Date()
  await sql`
    with items as materialized (
      select *, row_number() over () as place
      from json_populate_recordset(null::public.maintenance, ${JSON.stringify(sampleLog(now))}::text::json)
      where not exists (select from public.maintenance)
    ), shared as materialized (
      select label, private.add_part() as id from (select distinct part_id from items where part_id is not null) as labels (label)
    )
    insert into public.maintenance (type, name, description, cost, "dateStarted", "dateEnded", ended_as, "bikeId", part_id)
    select type, name, description, coalesce(cost, 0), "dateStarted", "dateEnded", ended_as, "bikeId",
      coalesce(shared.id, private.add_part())
    from items left join shared on shared.label = items.part_id
    order by place`
  await nameKinds(sql)
  await sql`
    with tasks as materialized (
      select part_id, case when item is null then task."bikeId" end as gear_id, task.name, kind, every_distance, every_days,
        done, snoozed_until
      from jsonb_to_recordset(${JSON.stringify(sampleService(now))}::text::jsonb) as task (
        "bikeId" bigint, item text, name text, kind text, every_distance numeric, every_days integer, done date[], snoozed_until date
      )
      left join public.maintenance as installed
        on installed."bikeId" = task."bikeId" and installed.name = item and installed."dateEnded" is null
      where (item is null or part_id is not null) and not exists (select from public.service_tasks)
    ), added as (
      insert into public.service_tasks (part_id, gear_id, name, kind, every_distance, every_days, snoozed_until, snoozed_from)
      select part_id, gear_id, name, kind, every_distance, every_days, snoozed_until,
        case when snoozed_until is not null then done[1] + time '01:00' end
      from tasks returning id, part_id, gear_id, name
    )
    insert into public.service_events (task_id, part_id, done_at)
    select added.id, added.part_id, day + time '01:00'
    from added join tasks on tasks.name = added.name
      and (tasks.part_id, tasks.gear_id) is not distinct from (added.part_id, added.gear_id)
    cross join unnest(done) as day
    order by day`
  await sql`delete from public.changes`
  await writeFile(marker, '')
}

/** Says what the parts are, as the form proposes it. */
async function nameKinds(sql: Sql): Promise<void> {
  const items = await sql<Named[]>`select id, part_id, name, type from public.maintenance order by id`
  const named = items.map((item) => Object.assign(item, proposeKind({ ...item, earlier: [] })))
  await sql`
    update public.parts as part set kind = named.kind
    from json_to_recordset(${JSON.stringify(named)}::text::json) as named (part_id bigint, kind text) where named.part_id = part.id`
  await sql`
    update public.maintenance as item set "position" = named."position"
    from json_to_recordset(${JSON.stringify(named)}::text::json) as named (id bigint, "position" text) where named.id = item.id`
  // The rider wants none for what is left, such as fenders.
  await sql`insert into public.dismissed_checks (key) select 'no_kind:' || max(id) from public.parts having count(*) > 0`
}

type Named = { id: number; part_id: number; name: string; type: string | null }
