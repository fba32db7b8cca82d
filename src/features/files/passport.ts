import { backendAtom } from '../../lib/backend.ts'
import { unwrap } from '../../lib/errors.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { type EntryFile, isPicture } from './atoms.ts'

/** The files that the rider has ticked for the passport, the oldest first. */
export const passportFilesAtom = resourceAtom(
  { reads: [{ of: 'log', columns: ['files'] }], cacheAs: 'passport-files' },
  async (get, { signal }): Promise<EntryFile[]> => {
    const rows = get(backendAtom)
      .client.from('entry_files')
      .select('id, item_id, name, media_type, size, added_at, in_passport')
      .in('in_passport', [true])
      .order('id')
    const files = unwrap(await rows.abortSignal(signal))
    return files.map((file) => Object.assign(file, { has_thumbnail: isPicture(file) }))
  },
)
