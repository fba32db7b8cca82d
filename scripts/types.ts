// `npm run types`: writes supabase/database.types.ts anew from the migrations.
import { writeFile } from 'node:fs/promises'
import { databaseTypes, withMigratedDatabase } from './supabase-cli.ts'

await writeFile(
  new URL('../supabase/database.types.ts', import.meta.url),
  await withMigratedDatabase((url) => databaseTypes(url)),
)
