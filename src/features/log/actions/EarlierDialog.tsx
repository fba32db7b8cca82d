import { useSetAtom } from 'jotai'

import { TextField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { useForm } from '../../../components/use-form.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import { useJournal } from '../../journal/use-journal.ts'
import type { Earlier } from '../../entries/earlier.ts'
import { earlierKinds } from '../../entries/earlier-kinds.ts'
import type { Item } from '../../entries/fields.ts'
import { changeEarlierAtom } from './atoms.ts'

type Props = { part: Pick<Item, 'part_id' | 'name'>; earlier: Earlier; onClose: () => void }

export function EarlierDialog({ part, earlier, onClose }: Props) {
  const { earlier_distance, earlier_moving_time } = earlier
  const formats = useHeldFormats()
  const change = useSetAtom(changeEarlierAtom)
  const form = useForm({
    fields: earlierKinds(formats),
    shown: { earlier_distance, earlier_moving_time },
    save: (_values, { key, ...edit }) => change(part, edit, key),
    outcome: () => ({ subject: `The earlier usage of ${quote(part.name)}`, done: 'saved' }),
    journal: useJournal('parts'),
  })
  const input = { inputMode: 'decimal', placeholder: 'Unknown' } as const
  return (
    <FormDialog title="Earlier usage" lead={part.name} label="Save" form={form} onClose={onClose}>
      <TextField label={formats.name} {...input} {...form.field('earlier_distance')} />
      <TextField label="Hours" {...input} {...form.field('earlier_moving_time')} />
    </FormDialog>
  )
}
