import { useSetAtom } from 'jotai'

import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useForm } from '../../components/use-form.ts'
import { textKind } from '../../lib/field-kinds.ts'
import { quote } from '../../lib/formats.ts'
import { useJournal } from '../journal/use-journal.ts'
import { editFileAtom, type EntryFile } from './atoms.ts'

const FIELDS = { name: textKind(MAX_LENGTH.entry_files.name, 'a name') }

export function RenameDialog({ file, onClose }: { file: EntryFile; onClose: () => void }) {
  const edit = useSetAtom(editFileAtom)
  const form = useForm({
    fields: FIELDS,
    shown: { name: file.name },
    save: (_values, { key, wanted }) => edit(file, wanted, key),
    outcome: () => ({ subject: quote(file.name), done: 'renamed' }),
    journal: useJournal('entry_files'),
  })
  return (
    <FormDialog title="Rename" label="Save" form={form} command="edit_row" onClose={onClose}>
      <TextField label="Name" {...form.field('name')} />
    </FormDialog>
  )
}
