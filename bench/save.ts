// Measures saves through the data API, with and without the triggers that record changes for Undo.
import { type DataApi, openDataApi } from '../tests/database/data-api.ts'
import { fastest, report } from './measure.ts'

const ROUNDS = 150
const ITEMS = 500
/** A month of busy logging. */
const CHANGES = 5000

const LOG = `
  insert into public.bikes values (1, 'Road');
  insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted")
  select 1, 'Drivetrain', 'Chain ' || n, repeat('Waxed. ', 10), n, '2024-01-01 01:00' from generate_series(1, ${ITEMS}) as n;
  insert into public.service_tasks (part_id, name, every_days) select part_id, 'Wax', 30 from public.maintenance;
  delete from public.changes;
  insert into public.changes (change, relation, row_id, before, after)
  select gen_random_uuid(), 'maintenance', id, to_jsonb(item), to_jsonb(item)
  from public.maintenance as item, generate_series(1, ${CHANGES / ITEMS})`

const TABLES = ['parts', 'maintenance', 'service_tasks', 'service_events', 'wear_measurements']

async function logWith(triggers: 'enable' | 'disable'): Promise<DataApi> {
  const api = await openDataApi()
  const names = ['take_turn', 'record_added_rows', 'record_edited_rows', 'record_removed_rows']
  const alter = TABLES.flatMap((table) =>
    names.map((name) => `alter table public.${table} ${triggers} trigger ${name}`),
  )
  await api.database.run(`${LOG}; ${alter.join(';')}; analyze`)
  return api
}

const IMPORTED = 25_000
const IMPORT = `
  select set_config('request.jwt.claim.sub', (select id::text from auth.users), true);
  select public.run_command('import_items', json_build_object(
    'added', (
      select jsonb_agg(jsonb_build_object('bikeId', 1, 'name', 'Item ' || n, 'cost', 0, 'dateStarted', '2024-01-01T01:00:00'))
      from generate_series(1, ${IMPORTED}) as n
    ), 'changed', '[]'::jsonb, 'records', (select count(*) from public.maintenance),
    'newest', (select max(id) from public.maintenance)
  ))`

async function send(api: DataApi, command: string, args: object): Promise<void> {
  const response = await api.fetch('/rest/v1/rpc/run_command', {
    method: 'POST',
    headers: {
      apikey: api.secrets.publishableKey,
      authorization: `Bearer ${api.ownerToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ command, arguments: args, key: crypto.randomUUID() }),
  })
  if (!response.ok) throw new Error(`The save returned ${response.status}: ${await response.text()}`)
  await response.json()
}

/** The input of each command, with other values in each round. */
const SAVES: [name: string, command: string, input: (id: number, round: number) => object][] = [
  [
    'a field',
    'edit_row',
    (row_id, cost) => ({ relation: 'maintenance', row_id, shown: {}, wanted: { cost } }),
  ],
  ['Done', 'mark_done', (task_id, round) => ({ task_id, done_on: `2024-03-0${1 + (round % 9)}`, seen: 1e9 })],
  [
    'a measurement',
    'add_measurement',
    (part_id, round) => ({
      part_id,
      measurement: { measured_on: '2024-03-01', value: round % 9, unit: 'mm' },
    }),
  ],
]

export async function save(): Promise<void> {
  console.log(`\nSave: ${ITEMS} items and tasks, with ${CHANGES} changes in the trash`)
  const [recorded, plain] = [await logWith('enable'), await logWith('disable')]
  try {
    let round = 1000
    for (const [name, command, input] of SAVES) {
      const save = (api: DataApi) => ({ work: () => send(api, command, input(1 + (++round % ITEMS), round)) })
      const [without, saved] = await fastest(ROUNDS, [save(plain), save(recorded)])
      report(`${name}, without the triggers`, without!, 'ms')
      report(name, saved!, 'ms')
      report('  against one without the triggers', saved! / without!, '×', 1.2)
    }
    const [imported] = await fastest(1, [{ work: () => recorded.database.run(IMPORT) }])
    report(`importing ${IMPORTED} items`, imported!, 'ms')
    const [read] = await fastest(5, [{ work: () => recorded.database.run('select public.trash()') }])
    report(`the trash, with ${IMPORTED} imported items`, read!, 'ms', 1000)
  } finally {
    await recorded.close()
    await plain.close()
  }
}
