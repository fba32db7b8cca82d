// `npm ci` runs this at its end: deletes C headers of Node.js (67 MB), which only compile native modules, and the packages for musl
// that npm 9 installs next to those for glibc (53 MB).
import { globSync, rmSync } from 'node:fs'

for (const folder of globSync('node_modules/{node-*/include,*-linux-*-musl,@*/*-linux-*-musl}'))
  rmSync(folder, { recursive: true, force: true })
