#!/usr/bin/env bash
# @supabase/lite 0.10.0 with PGlite: @supabase/postgrest-js 2.119.0 names the columns of a bulk insert (`columns=`). If a row lacks one of
# them, the response says null, but the column's default is stored. PostgREST stores null, too. Seen on 2026-11-28 with Node.js 20.20.2: the
# output below.
set -euo pipefail
expected='answered: [{"id":1,"name":null,"note":"a"},{"id":2,"name":"B","note":null}]
stored: [{"id":1,"name":null,"note":"a"},{"id":2,"name":"B","note":"none"}]'

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
const { data } = await db.from('bike').insert([{ id: 1, note: 'a' }, { id: 2, name: 'B' }]).select()
console.log(`answered: ${JSON.stringify(data)}`)
const stored = await db.from('bike').select().order('id')
console.log(`stored: ${JSON.stringify(stored.data)}`)
// PGlite 0.4.5 sets the exit status to 99.
process.exit(0)
JS
found=$(node run.mjs 2>/dev/null)
diff <(echo "$expected") <(echo "$found") && echo "$found"
