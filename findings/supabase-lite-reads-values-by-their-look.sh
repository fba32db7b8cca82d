#!/usr/bin/env bash
# @supabase/lite 0.10.0 with PGlite: a filter's value that looks like a number is compared as a number, also with a text column. So
# `eq('name', '1.50')` and `in('name', ['1.50'])` of @supabase/postgrest-js 2.119.0 find the row 1.5 instead of 1.50. PostgREST reads a
# value by the column's type. Seen on 2026-11-28 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='eq: 1.5
in: Red,1.5
in, quoted: 1.50'

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
await connection.exec(`insert into bike values (1, 'Red'), (2, '1.50'), (3, '1.5')`)
const show = async (label, filter) => {
  const { data } = await filter(db.from('bike').select('name').order('id'))
  console.log(`${label}: ${data.map(({ name }) => name)}`)
}
await show('eq', (bikes) => bikes.eq('name', '1.50'))
await show('in', (bikes) => bikes.in('name', ['Red', '1.50']))
await show('in, quoted', (bikes) => bikes.filter('name', 'in', '("1.50")'))
// PGlite 0.4.5 sets the exit status to 99.
process.exit(0)
JS
found=$(node run.mjs 2>/dev/null)
diff <(echo "$expected") <(echo "$found") && echo "$found"
