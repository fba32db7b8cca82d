import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { readTexts } from '../../lib/forms.ts'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { failureMessage } from '../../lib/writes.ts'
import type { Earlier } from '../items/earlier.ts'
import { earlierKinds } from '../items/earlier-kinds.ts'
import { useShown } from '../trash/use-shown.ts'
import { changeEarlierAtom, type PartOnBikes } from './atoms.ts'

type Props = { part: PartOnBikes; earlier: Earlier; onClose: () => void }

export function EarlierDialog({ part, earlier, onClose }: Props) {
  const { earlier_distance, earlier_moving_time } = earlier
  const formats = useHeldFormats()
  const change = useSetAtom(changeEarlierAtom)
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
    try {
      await change(part, { shown: known.shown, wanted })
      return null
    } catch (cause) {
      return (
        known.describe(cause, wanted) ??
        failureMessage(`The earlier usage of ${quote(part.name)}`, 'saved', cause)
      )
    }
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
