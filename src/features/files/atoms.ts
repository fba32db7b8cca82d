import { atom } from 'jotai'

import type { File, Files } from '../../../supabase/functions/files/contract.ts'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/formats.ts'
import { callFunction } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { type FileInput, unreadAtom, type Waiting } from '../../lib/waiting.ts'
import { edited } from '../../lib/waiting-rows.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { attempt, mutate } from '../journal/mutate.ts'

/** A photo or receipt of a log entry. */
export type EntryFile = Omit<File, 'media_type'> & {
  media_type: string
  /** What waits in this browser instead of a stored file. */
  waits?: FileInput
}

export const isPicture = ({ media_type }: Pick<EntryFile, 'media_type'>) => media_type.startsWith('image/')

type FilesCall = { name: `files?part_id=${number}`; input: never; answer: Files }

/** The stored files of all periods of a part, the oldest first. A part that waits has none. */
export const storedFilesAtom = weakFamily((part: number) =>
  resourceAtom(
    { reads: [{ of: 'log', columns: ['files'] }], cacheAs: `files/${part}` },
    async (get, { signal }): Promise<EntryFile[]> => {
      if (part < 0) return []
      const name: FilesCall['name'] = `files?part_id=${part}`
      return (await callFunction<FilesCall>(get(backendAtom).client, name, { method: 'GET', signal })).files
    },
  ),
)

/** The files of a part with those that wait, as they will be. Those that wait are there even if the others can't be read. */
export const filesAtom = weakFamily((part: number) =>
  atom((get): EntryFile[] => {
    const stored = get(storedFilesAtom(part))
    const [files, order] = stored.state === 'ready' ? [stored.data, stored.order] : [[], 0]
    const changes = get(unreadAtom)(order)
    const known = new Set(files.map(({ id }) => id))
    const waiting = changes.flatMap((one) => (isFileOf(one, part) && !known.has(one.id) ? [fileOf(one)] : []))
    return [...files, ...waiting].map((file) => edited('entry_files', file, changes))
  }),
)

type FileChange = Extract<Waiting, { command: 'add_file' }>

const isFileOf = (one: Waiting, part: number): one is FileChange =>
  one.command === 'add_file' && one.input.part_id === part

function fileOf({ id, input }: FileChange): EntryFile {
  const { item_id, name, media_type, size, thumbnail } = input
  // The ID is positive once it is sent.
  const waits = id < 0 ? { waits: input } : {}
  const added_at = new Date(Math.abs(id)).toISOString()
  return {
    id,
    item_id,
    name,
    media_type,
    size,
    added_at,
    in_passport: false,
    has_thumbnail: thumbnail > 0,
    ...waits,
  }
}

/** Removes a file and offers Undo. */
export const removeFileAtom = atom(null, (get, set, { id, name }: EntryFile, onWritten: () => void) =>
  attempt(get, set, 'remove_file', { file_id: id }, { subject: quote(name), done: 'removed', onWritten }),
)

type FileValues = Partial<Pick<EntryFile, 'name' | 'in_passport'>>

/** Saves a file's name, or whether it is in the passport, and offers Undo. Rejects if the write fails. */
export const editFileAtom = atom(null, (get, set, file: EntryFile, wanted: FileValues, key: string) => {
  const shown = 'name' in wanted ? { name: file.name } : { in_passport: file.in_passport }
  const edit = { relation: 'entry_files', row_id: file.id, shown, wanted } as const
  return mutate(get, set, 'edit_row', edit, { subject: quote(file.name), done: 'changed' }, key)
})
