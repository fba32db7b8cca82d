#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 node --max-semi-space-size=1 --heap-growing-percent=20
// The installed package's command.
import { fileURLToPath } from 'node:url'

process.argv.splice(2, 0, fileURLToPath(new URL('../build/server/cli.js', import.meta.url)))
await import('./run.js')
