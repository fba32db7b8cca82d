// `npm run types`: regenerates supabase/database.types.ts from the migrations.
import { writeFile } from 'node:fs/promises'
import { createMigrated, startTestServer } from '../tests/postgres.ts'
import { databaseTypes } from './supabase-cli.ts'

const stop = await startTestServer()
const { url, drop } = await createMigrated()
await writeFile(new URL('../supabase/database.types.ts', import.meta.url), await databaseTypes(url))
await drop()
await stop()
