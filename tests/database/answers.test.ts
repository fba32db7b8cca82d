import type * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Answers } from '../../supabase/functions/_shared/contracts/data-api.ts'
import { checked } from '../contract.ts'
import { SIGN_IN_OWNER, useDatabase } from './databases.ts'

type Name = keyof typeof Answers.entries

const database = await useDatabase(`${SIGN_IN_OWNER};
    insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel');
    insert into public.rides (id, gear_id, distance, moving_time, departed_at, time_zone, name) values
      (1, 1, 1000, 100, '2024-02-01 12:00:00+00', 'Etc/UTC', 'Ride');
    insert into public.parts select n from generate_series(1, 2) as n;
    insert into public.maintenance (id, "bikeId", part_id, type, name, cost, "dateStarted", "dateEnded", ended_as) values
      (1, 1, 1, 'Drivetrain', 'Chain', 45.10, '2024-01-01 14:30:00.123456', null, null),
      (2, 1, 2, 'Tires', 'Tire', 60, '2024-01-01 01:00:00', '2024-03-01 01:00:00', 'stored');
    insert into public.service_tasks (id, part_id, name, every_days) values (1, 1, 'Wax', 30);
    insert into public.service_events (task_id, part_id, done_at) values (1, 1, '2024-02-01 01:00');
    select setval('public.maintenance_id_seq', 100), setval('public.parts_id_seq', 100);
    select public.create_token('rmt_${'a'.repeat(40)}', 'Watch', 'read', 90)`)

/** Calls of every function. */
const CALLS: Record<Name, string> = {
  log_items: 'log_items(1)',
  replaced_parts: "replaced_parts(1, '2024-02-01', name => 'KMC chain')",
  service_history: 'service_history(1)',
  stored_parts: 'stored_parts()',
  tokens: 'tokens()',
  trash: 'trash()',
  time_zone: 'time_zone()',
}

describe('the data API’s SQL functions', () => {
  test.each(Object.entries(CALLS) as [Name, string][])(
    '%s answers as its contract says',
    async (name, call) => {
      const [, rows] = await database.run(`set local role authenticated; select public.${call} as value`)
      const answer = checked<v.GenericSchema>(Answers.entries[name], rows![0]!['value'])
      // None of the lists is empty.
      expect(Object.values(Object(answer))).not.toContainEqual([])
    },
  )
})
