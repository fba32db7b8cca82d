#!/usr/bin/env bash
# @supabase/lite 0.10.0 with PGlite: if `or`, `not.or` or `not.and` are in a query more than once, only some of them hold. PostgREST joins
# them by AND. Two `or` are joined by OR, so `.or(a).or(b)` of @supabase/postgrest-js 2.119.0 changes more rows; of `not.or` and `not.and`,
# one is dropped; two `not.and` become one. Nested in one `and=(…)`, each holds. Seen on 2026-11-28 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='or twice: 1,2,3
or twice, nested: 2
not.or and not.and: 3,4
not.or and not.and, nested: 3
not.and twice: 1,2,3,4
not.and twice, nested: 3
changed by or twice: 1,2,3'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_update_notifier=false
npm install --silent --ignore-scripts @supabase/lite@0.10.0 @supabase/postgrest-js@2.119.0 >/dev/null
cat >run.mjs <<'JS'
import { App } from '@supabase/lite'
import { createPgliteConnection } from '@supabase/lite/pglite'
import { PostgrestClient } from '@supabase/postgrest-js'

const connection = await createPgliteConnection()
const app = new App({ connection, options: { server: { admin: false } } })
const db = new PostgrestClient('http://127.0.0.1/rest/v1', { fetch: (...args) => app.fetch(new Request(...args)) })
await connection.exec(`create table bike (id integer primary key, name text, note text default 'none')`)
await connection.exec(`insert into bike values (1, 'A'), (2, 'B'), (3, 'C'), (4, 'D')`)
const get = async (label, query) => {
  const response = await app.fetch(new Request(`http://127.0.0.1/rest/v1/bike?select=id&order=id&${query}`))
  console.log(`${label}: ${(await response.json()).map(({ id }) => id)}`)
}
await get('or twice', 'or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3)')
await get('or twice, nested', 'and=(or(id.eq.1,id.eq.2),or(id.eq.2,id.eq.3))')
await get('not.or and not.and', 'not.or=(id.gt.3,id.lt.0)&not.and=(id.lt.3,id.gt.0)')
await get('not.or and not.and, nested', 'and=(not.or(id.gt.3,id.lt.0),not.and(id.lt.3,id.gt.0))')
await get('not.and twice', 'not.and=(id.lt.3,id.gt.0)&not.and=(id.gt.3,id.gt.0)')
await get('not.and twice, nested', 'and=(not.and(id.lt.3,id.gt.0),not.and(id.gt.3,id.gt.0))')
await db.from('bike').update({ note: 'changed' }).or('id.eq.1,id.eq.2').or('id.eq.2,id.eq.3')
const { data } = await db.from('bike').select('id').eq('note', 'changed').order('id')
console.log(`changed by or twice: ${data.map(({ id }) => id)}`)
// PGlite 0.4.5 sets the exit status to 99.
process.exit(0)
JS
found=$(node run.mjs 2>/dev/null)
diff <(echo "$expected") <(echo "$found") && echo "$found"
