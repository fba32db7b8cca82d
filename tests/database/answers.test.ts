import { randomUUID } from 'node:crypto'
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
    select setval('public.maintenance_id_seq', 100), setval('public.parts_id_seq', 100);
    select public.create_token('rmt_${'a'.repeat(40)}', 'Watch', 'read', 90)`)

/** Calls of every function in turn. */
const CALLS: Record<Name, string | ((lastChange: string) => string)> = {
  mark_service_done: 'mark_service_done(1)',
  snooze_service_task: "snooze_service_task(1, '2030-01-01')",
  service_history: 'service_history(1)',
  stored_parts: 'stored_parts()',
  undo: (lastChange) => `undo('${lastChange}')`,
  tokens: 'tokens()',
  trash: 'trash()',
}

async function ask(expression: string, change: string = randomUUID()) {
  const results = await database.run(
    `set local role authenticated; select private.name_change('${change}'); select public.${expression} as value`,
  )
  return results.at(-1)![0]!['value']
}

const call = async <Called extends Name>(name: Called, ...asked: Parameters<typeof ask>) =>
  checked<(typeof Answers.entries)[Called]>(Answers.entries[name], await ask(...asked))

describe('the data API’s SQL functions', () => {
  test('answer as their contracts say', async () => {
    let lastChange = ''
    const read: object[] = []
    for (const name of Object.keys(CALLS) as Name[]) {
      const made = CALLS[name]
      const answer = await call(name, typeof made === 'string' ? made : made(lastChange))
      if (!('change' in answer)) read.push(answer)
      else if (answer.change !== null) lastChange = answer.change
    }
    // None of the lists is empty.
    for (const answer of read) expect(Object.values(answer)).not.toContainEqual([])
  })

  test('describe what prevents an undo', async () => {
    const change = randomUUID()
    await call('snooze_service_task', "snooze_service_task(1, '2031-01-01')", change)
    await call('snooze_service_task', "snooze_service_task(1, '2032-01-01')")
    expect((await call('undo', `undo('${change}')`)).conflicts).toMatchObject([{ state: 'changed' }])
  })
})
