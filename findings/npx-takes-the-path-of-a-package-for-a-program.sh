#!/usr/bin/env bash
# npm 10.9.4, 11.6.2 and 12.2.2: `npx ./package.tgz` and `npx file:/folder/package.tgz` run the command of the package in that file.
# `npx /folder/package.tgz` tries to run the file itself. Seen on 2026-11-27 with Node.js 20.20.2: the output below.
set -euo pipefail
expected='npm 10.9.4: relative: hello; with file: hello; absolute: Permission denied
npm 11.6.2: relative: hello; with file: hello; absolute: Permission denied
npm 12.2.2: relative: hello; with file: hello; absolute: Permission denied'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export npm_config_cache=$folder/cache npm_config_update_notifier=false
echo '{ "name": "hello", "version": "1.0.0", "bin": "hello.js" }' >package.json
printf '#!/usr/bin/env node\nconsole.log("hello")\n' >hello.js
npm pack --silent >/dev/null

found=$(for version in 10.9.4 11.6.2 12.2.2; do
  npm=$folder/$version/node_modules/npm/bin
  npm install --silent --no-audit --prefix "$folder/$version" "npm@$version" >/dev/null
  run() { node "$npm/npx-cli.js" --yes "$1" 2>&1 | grep -o 'hello$\|Permission denied' || true; }
  relative=$(run ./hello-1.0.0.tgz) file=$(run "file:$folder/hello-1.0.0.tgz") absolute=$(run "$folder/hello-1.0.0.tgz")
  echo "npm $version: relative: $relative; with file: $file; absolute: $absolute"
done)
diff <(echo "$expected") <(echo "$found") && echo "$found"
