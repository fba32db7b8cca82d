// `npm run types`: regenerates supabase/database.types.ts from the migrations, and the tables of docs/errors.md.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createMigrated, startTestServer } from '../tests/postgres.ts'
import { withTables } from './error-tables.ts'
import { databaseTypes } from './supabase-cli.ts'

const stop = await startTestServer()
const { url, drop } = await createMigrated()
await writeFile(new URL('../supabase/database.types.ts', import.meta.url), await databaseTypes(url))
await drop()
await stop()

const errors = 'docs/errors.md'
await writeFile(errors, withTables(await readFile(errors, 'utf8')))
execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', errors])
