#!/usr/bin/env bash
# npm 9.2.0, which Debian installs, can't install what a newer npm locked if package.json overrides a dependency of a dependency by an
# alias ("npm:..."): it says that there is no lock file. 10.8.2 can. Seen on 2026-11-28: the output below.
set -euo pipefail
expected='npm 9.2.0: The `npm ci` command can only install with an existing package-lock.json or
npm 10.8.2: added 2 packages'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export npm_config_cache=$folder/cache npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
mkdir "$folder/programs" "$folder/project"
cd "$folder/programs"
npm install --silent old@npm:npm@9.2.0 new@npm:npm@10.8.2 >/dev/null
cd "$folder/project"
# color-name is what color-convert depends on.
cat >package.json <<'EOF'
{
  "private": true,
  "dependencies": { "color-convert": "2.0.1" },
  "overrides": { "color-name": "npm:simple-concat@1.0.1" }
}
EOF
node "$folder/programs/node_modules/new/bin/npm-cli.js" install --silent --package-lock-only >/dev/null
says() {
  { node "$folder/programs/node_modules/$1/bin/npm-cli.js" ci 2>&1 || true; } |
    sed 's/npm ERR! //' | grep -om1 -e 'The `npm ci` .*' -e 'added . packages'
}
found="npm 9.2.0: $(says old)
npm 10.8.2: $(says new)"
diff <(echo "$expected") <(echo "$found") && echo "$found"
