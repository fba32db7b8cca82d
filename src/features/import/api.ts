import type { Json } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/unwrap.ts'
import type { Client } from '../../lib/backend.ts'
import type { Preview } from './preview.ts'

/**
 * Writes what a preview shows, all of it or nothing. Throws `RMT04`, and nothing was written, when the log is no longer
 * the one that the preview was made beside.
 */
export async function writeImport(client: Client, preview: Preview): Promise<true> {
  const { added, changed, records, newest } = preview
  const plan = {
    added: added.map(({ bike, values }) => Object.assign({ bikeId: bike.gear_id }, values)),
    changed: changed.map(({ item, after }) => ({ before: item, after })),
    records,
    newest,
  } satisfies Json
  unwrap(await client.rpc('import_maintenance', { plan }))
  return true
}
