// Compares reading due tasks with one plain sum over the same rides.
import { HISTORY_DAYS } from '../supabase/functions/_shared/forecast.ts'
import type { ForecastTask, RideDays } from '../supabase/functions/_shared/contracts/service-tasks.ts'
import { withForecasts } from '../supabase/functions/_shared/task-forecasts.ts'
import type { TestDatabase } from '../tests/database/databases.ts'
import { BIKES, compareWithSum, INSERT_BIKES, insertRides, statement } from './generated-log.ts'

// Each part has three install periods on different bikes, and two tasks. Half of the tasks were never done, so every ride counts.
export function logWith(rides: number, tasks: number): string {
  return `
    ${INSERT_BIKES};
    ${insertRides(rides)};
    insert into public.parts select n from generate_series(1, ${tasks / 2}) as n;
    insert into public.maintenance ("bikeId", part_id, name, "dateStarted", "dateEnded")
    select 1 + (n + period) % ${BIKES}, n, 'Part ' || n,
      '2004-01-01 01:00:00'::timestamp + period * interval '6 years' + n * interval '7 days',
      case when period < 2 then '2009-01-01 01:00:00'::timestamp + period * interval '6 years' + n * interval '7 days' end
    from generate_series(1, ${tasks / 2}) as n, generate_series(0, 2) as period;
    insert into public.service_tasks (part_id, name, every_distance, every_days)
    select 1 + n % ${tasks / 2}, 'Task ' || n, 500000 + n, 90 from generate_series(1, ${tasks}) as n;
    insert into public.service_events (task_id, part_id, done_at)
    select id, part_id, '2019-01-01 01:00:00'::timestamp + id * interval '3 days' from public.service_tasks where id % 2 = 0`
}

// The rides end today, and the tasks are due in one to ten months, so each task needs a forecast for its own distance.
function recentLogWith(rides: number, tasks: number): string {
  return `${logWith(rides, tasks)};
    update public.rides set departed_at = now() - id * interval '20 years' / ${rides};
    update public.service_tasks set every_distance = 200000 + id * 45000, every_days = null;
    delete from public.service_events;
    insert into public.service_events (task_id, part_id, done_at)
    select id, part_id, (now() - id * interval '1 day')::timestamp from public.service_tasks`
}

/** Does the same work as `service-due`: reads due tasks and daily rides, then forecasts. */
async function forecasts(database: TestDatabase): Promise<ForecastTask[]> {
  const [[due], [days]] = (await database.run(
    `select public.service_due() as tasks; select public.ride_days(${HISTORY_DAYS}) as days`,
  )) as [[{ tasks: { tasks: ForecastTask[] } }], [{ days: RideDays }]]
  return withForecasts(due.tasks.tasks, days.days)
}

export async function service(): Promise<void> {
  console.log(`\nService: 10,000 rides, 60 tasks on ${BIKES} bikes`)
  await compareWithSum(logWith, 60, [
    { name: 'due tasks', run: statement('select public.service_due()'), limit: 4, doubled: 2.3 },
  ])
  console.log('\nForecasts: the same rides, and tasks that are due in one to ten months')
  await compareWithSum(recentLogWith, 60, [{ name: 'due tasks with forecasts', run: forecasts, limit: 10 }])
}
