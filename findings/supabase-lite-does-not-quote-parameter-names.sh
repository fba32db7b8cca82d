#!/usr/bin/env bash
# @supabase/lite 0.10.0 with PGlite: a call of a function by name answers 400 if a parameter has the name of a keyword that PostgreSQL wants
# quoted there, such as position. PostgREST quotes the names of parameters. Seen on 2026-11-28 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='place: 200 front
position: 400 42601'

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
const names = ['place', 'position']
for (const name of names)
  await connection.exec(`create function by_${name}("${name}" text) returns text language sql as 'select $1'`)
for (const name of names) {
  const { status, data, error } = await db.rpc(`by_${name}`, { [name]: 'front' })
  console.log(`${name}: ${status} ${error ? error.code : data}`)
}
// PGlite 0.4.5 sets the exit status to 99.
process.exit(0)
JS
found=$(node run.mjs 2>/dev/null)
diff <(echo "$expected") <(echo "$found") && echo "$found"
