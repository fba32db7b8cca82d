import { expect, test } from 'vitest'
import { openMigratedDatabase, SIGN_IN_OWNER } from './databases.ts'

test('a new column of the log is set up, moved, replaced and imported like the others', async () => {
  const database = await openMigratedDatabase()
  await database.run(`
    ${SIGN_IN_OWNER}; insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel');
    alter table public.maintenance alter id restart with 101, add serial text;
    grant insert (serial), update (serial) on public.maintenance to authenticated; set role authenticated`)
  const change = (day: string, take_off: object, put_on: object) =>
    database.run(
      `select private.command_change_parts('${JSON.stringify({ day, take_off: [take_off], put_on: [put_on] })}')`,
    )
  const serials = async () =>
    (await database.run('select id, serial from public.maintenance order by id'))[0]!.map(Object.values)

  await database.run(
    `select private.command_set_up_bike('{"gear_id": 1, "parts": [{"name": "Saddle", "day": "2024-01-02", "serial": "A"}]}')`,
  )
  await change('2024-03-01', { id: 101, ended_as: 'moved' }, { bikeId: 2, part_of: 101 })
  await change('2024-04-01', { id: 102, ended_as: 'worn' }, { replaces: 102, name: 'New', serial: 'B' })
  expect(await serials()).toEqual([
    [101, 'A'],
    [102, 'A'],
    [103, 'B'],
  ])

  const plan = {
    records: 3,
    newest: 103,
    changed: [{ before: { id: 103, serial: 'B' }, after: { serial: 'C' } }],
    added: [{ bikeId: 1, name: 'Light', dateStarted: '2024-01-01 01:00:00', serial: 'D' }],
  }
  await database.run(`select private.command_import_items('${JSON.stringify(plan)}')`)
  expect((await serials()).slice(2)).toEqual([
    [103, 'C'],
    [104, 'D'],
  ])
  await database.close()
})
