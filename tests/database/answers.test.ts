import type * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Answers } from '../../supabase/functions/_shared/contracts/data-api.ts'
import { checked } from '../contract.ts'
import { world } from '../world.ts'
import { SIGN_IN_OWNER, useDatabase } from './databases.ts'

type Name = keyof typeof Answers.entries

const database = await useDatabase(`${SIGN_IN_OWNER};
    ${world({
      bikes: ['Road', 'Gravel'],
      parts: [{ id: 1, kind: 'chain' }],
      entries: [
        { part: 1, type: 'Drivetrain', name: 'Chain', cost: 45.1, from: '2024-01-01T14:30:00.123456' },
        { part: 2, type: 'Tires', name: 'Tire', cost: 60, to: '2024-03-01', ended_as: 'stored' },
      ],
      tasks: [{ part: 1, name: 'Wax', days: 30 }],
      events: [{ task: 1, at: '2024-02-01' }],
      rides: [
        { bike: 1, at: '2024-02-01T12:00Z', distance: 1000, moving_time: 100, name: 'Ride' },
        { bike: 1, at: '1989-12-31T12:00Z' },
      ],
    })}
    select public.create_token('rmt_${'a'.repeat(40)}', 'Watch', 'read', 90)`)

/** Calls of every function. */
const CALLS: Record<Name, string> = {
  doubted_rides: 'doubted_rides()',
  days_reached: `days_reached('[{"gear_id": 1, "distances": [500, 5000]}]')`,
  file_sizes: 'file_sizes()',
  log_items: 'log_items(1)',
  replaced_parts: "replaced_parts(1, '2024-02-01', kind => 'chain')",
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
