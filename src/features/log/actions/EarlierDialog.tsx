import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { TextField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { readTexts } from '../../../lib/forms.ts'
import { quote, useHeldFormats } from '../../../lib/formats.ts'
import type { Earlier } from '../data/earlier.ts'
import type { Item } from '../data/fields.ts'
import { earlierKinds } from '../data/earlier-kinds.ts'
import { useSave } from '../../trash/use-save.ts'
import { useShown } from '../../trash/use-shown.ts'
import { changeEarlierAtom } from './atoms.ts'

type Props = { part: Pick<Item, 'part_id' | 'name'>; earlier: Earlier; onClose: () => void }

export function EarlierDialog({ part, earlier, onClose }: Props) {
  const { earlier_distance, earlier_moving_time } = earlier
  const formats = useHeldFormats()
  const change = useSetAtom(changeEarlierAtom)
  const save = useSave()
  const kinds = earlierKinds(formats)
  const known = useShown<Earlier>('parts', { earlier_distance, earlier_moving_time })
  const [shown] = useState({
    earlier_distance: kinds.earlier_distance.format(earlier_distance, formats),
    earlier_moving_time: kinds.earlier_moving_time.format(earlier_moving_time, formats),
  })
  const [texts, setTexts] = useState(shown)
  const [problems, setProblems] = useState<Partial<typeof texts>>({})

  const submit = async () => {
    const { values, problems } = readTexts<Earlier>(kinds, texts, formats, known.shown)
    setProblems(problems)
    if (Object.keys(problems).length > 0) return ''
    const wanted = known.wantedOf(values)
    return save((key) => change(part, { shown: known.shown, wanted }, key), {
      subject: `The earlier usage of ${quote(part.name)}`,
      done: 'saved',
      describe: (cause) => known.describe(cause, wanted),
    })
  }
  const text = (field: keyof typeof texts) => ({
    value: texts[field],
    problem: problems[field],
    onChange: (value: string) => setTexts({ ...texts, [field]: value }),
  })
  return (
    <FormDialog
      title="Earlier usage"
      lead={part.name}
      label="Save"
      isChanged={texts !== shown}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label={formats.name}
        inputMode="decimal"
        placeholder="Unknown"
        {...text('earlier_distance')}
      />
      <TextField label="Hours" inputMode="decimal" placeholder="Unknown" {...text('earlier_moving_time')} />
    </FormDialog>
  )
}
