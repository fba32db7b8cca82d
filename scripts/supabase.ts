// `npm run supabase -- <command>`: runs the Supabase CLI without telemetry.
import { pathToFileURL } from 'node:url'
import { supabaseCli } from './supabase-cli.ts'

const file = await supabaseCli().catch(({ message }: Error) => {
  console.error(message)
  process.exit(1)
})
process.env.DO_NOT_TRACK = '1'
await import(pathToFileURL(file).href)
