import type { Json } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { unwrap } from '../../lib/unwrap.ts'
import type { Preview } from './preview.ts'

/** Writes all of a preview's changes, or none. Throws `RMT04` if the log has changed since the preview. */
export async function writeImport(client: Client, preview: Preview): Promise<true> {
  const { added, changed, itemCount, newestId } = preview
  const plan = {
    added: added.map(({ bike, values, partId }) =>
      Object.assign({ bikeId: bike.gear_id, part_id: partId }, values),
    ),
    changed: changed.map(({ item, after }) => ({ before: item, after })),
    records: itemCount,
    newest: newestId,
  } satisfies Json
  unwrap(await client.rpc('import_maintenance', { plan }))
  return true
}
