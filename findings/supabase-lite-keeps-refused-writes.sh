#!/usr/bin/env bash
# @supabase/lite 0.10.0 with PGlite: `.single()` of @supabase/postgrest-js 2.119.0 on an update of two rows is answered with 406, but both
# rows stay changed; `.rollback()` commits. PostgREST undoes both. Seen on 2026-11-28 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='single: 406 PGRST116, then A single, B single, C none
rollback: 204, then A single, B single, C rollback'

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
await connection.exec(`insert into bike values (1, 'A'), (2, 'B'), (3, 'C')`)
const show = async (label, { status, error }) => {
  const { data } = await db.from('bike').select('name, note').order('id')
  const rows = data.map(({ name, note }) => `${name} ${note}`).join(', ')
  console.log(`${label}: ${status}${error ? ` ${error.code}` : ''}, then ${rows}`)
}
await show('single', await db.from('bike').update({ note: 'single' }).lt('id', 3).select().single())
await show('rollback', await db.from('bike').update({ note: 'rollback' }).eq('id', 3).rollback())
// PGlite 0.4.5 sets the exit status to 99.
process.exit(0)
JS
found=$(node run.mjs 2>/dev/null)
diff <(echo "$expected") <(echo "$found") && echo "$found"
