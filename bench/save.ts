// Measures saving a log field through the data API, with and without the triggers that record changes for the trash.
import { type DataApi, openDataApi } from '../tests/database/data-api.ts'
import { fastest, report } from './measure.ts'

const ROUNDS = 150
const ITEMS = 500
/** A month of busy logging. */
const CHANGES = 5000

const LOG = `
  insert into public.bikes values (1, 'Road');
  insert into public.maintenance ("bikeId", type, name, description, cost)
  select 1, 'Drivetrain', 'Chain ' || n, repeat('Waxed. ', 10), n from generate_series(1, ${ITEMS}) as n;
  update public.maintenance as item set cost = n from generate_series(1, ${CHANGES / ITEMS}) as n where item.id = n;
  insert into public.log_changes (relation, row_id, before, after)
  select 'maintenance', 1 + n % ${ITEMS}, to_jsonb(item), to_jsonb(item) from public.maintenance as item, generate_series(1, ${CHANGES}) as n
  where item.id = 1 + n % ${ITEMS}`

async function logWith(triggers: 'enable' | 'disable'): Promise<DataApi> {
  const api = await openDataApi()
  const names = ['record_added_items', 'record_edited_items', 'record_deleted_items']
  await api.database.run(
    `${LOG}; ${names.map((name) => `alter table public.maintenance ${triggers} trigger ${name};`).join(' ')} analyze`,
  )
  return api
}

const ADD_ITEMS = `insert into public.maintenance ("bikeId", name) select 1, 'Item ' || n from generate_series(1, 5000) as n`

let cost = 1000

async function saveField(api: DataApi): Promise<void> {
  const response = await api.fetch(`/rest/v1/maintenance?id=eq.${1 + (cost % ITEMS)}&select=id`, {
    method: 'PATCH',
    headers: {
      apikey: api.secrets.publishableKey,
      authorization: `Bearer ${api.ownerToken}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    body: JSON.stringify({ cost: ++cost }),
  })
  if (!response.ok) throw new Error(`The save returned ${response.status}`)
  await response.json()
}

export async function save(): Promise<void> {
  console.log(`\nSave: one field of ${ITEMS} items, with ${CHANGES} changes in the trash`)
  const [recorded, plain] = [await logWith('enable'), await logWith('disable')]
  try {
    const [without, saved] = await fastest(ROUNDS, [
      { work: () => saveField(plain) },
      { work: () => saveField(recorded) },
    ])
    report('a save without the triggers', without!, 'ms')
    report('a save', saved!, 'ms')
    report('  against one without the triggers', saved! / without!, '×', 1.2)
    const [addedPlain, added] = await fastest(5, [
      { work: () => plain.database.run(ADD_ITEMS) },
      { work: () => recorded.database.run(ADD_ITEMS) },
    ])
    report('5,000 imported items against those without the triggers', added! / addedPlain!, '×')
    const [read] = await fastest(5, [{ work: () => recorded.database.run('select public.trash()') }])
    report('the trash, with 25,000 imported items', read!, 'ms')
  } finally {
    await recorded.close()
    await plain.close()
  }
}
