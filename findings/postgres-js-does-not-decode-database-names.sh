#!/usr/bin/env bash
# postgres 3.4.9 (postgres.js): in a connection URL, the user and the password are decoded, but not the name of the database. libpq decodes
# all three. Nothing is connected here. Seen on 2026-11-28 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='user: a b, password: c@d, database: my%20bikes'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_update_notifier=false
npm install --silent postgres@3.4.9 >/dev/null
cat >run.mjs <<'JS'
import postgres from 'postgres'

const { user, pass, database } = postgres('postgresql://a%20b:c%40d@127.0.0.1/my%20bikes').options
console.log(`user: ${user}, password: ${pass}, database: ${database}`)
JS
found=$(node run.mjs)
diff <(echo "$expected") <(echo "$found") && echo "$found"
