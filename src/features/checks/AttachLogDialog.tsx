import { useAtomValue, useSetAtom } from 'jotai'

import { SelectField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useForm } from '../../components/use-form.ts'
import { choiceKind } from '../../lib/forms.ts'
import { quote } from '../../lib/formats.ts'
import { bikeNameAtom, bikesAtom } from '../bikes/atoms.ts'
import { useJournal } from '../journal/use-journal.ts'
import { attachLogAtom } from './atoms.ts'

const NO_BIKE = 0

/** Asks which bike a bike is now that was deleted and added again at Ride with GPS. */
export default function AttachLogDialog({ from, onClose }: { from: number; onClose: () => void }) {
  const attach = useSetAtom(attachLogAtom)
  const bikes = useAtomValue(bikesAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const former = bikeName(from)
  const listed = bikes.state === 'ready' ? bikes.data.filter(({ is_listed }) => is_listed) : []
  const sameName = listed.filter(({ name }) => name === former)
  const form = useForm({
    fields: { bike: choiceKind<number>() },
    inputs: { bike: (sameName.length === 1 && sameName[0]?.gear_id) || NO_BIKE },
    save: ({ bike }, { key }) => attach({ from, to: bike }, key),
    outcome: () => ({ subject: `The log of ${quote(former)}`, done: 'attached' }),
    journal: useJournal('attached_logs'),
  })
  const { value, onChange } = form.field('bike')
  return (
    <FormDialog
      title="This bike is now …"
      lead={former}
      label="Attach log"
      isBlocked={value === NO_BIKE}
      form={form}
      onClose={onClose}
    >
      <SelectField
        label="Bike"
        value={value}
        options={[
          ...(value === NO_BIKE ? [{ value: NO_BIKE, label: 'Choose a bike' }] : []),
          ...listed.map(({ gear_id, name }) => ({ value: gear_id, label: name })),
        ]}
        onChange={onChange}
      />
      <p className="note" data-wide>
        Its log entries, service tasks and rides go to this bike, also rides that are still on the old one at
        Ride with GPS.
      </p>
    </FormDialog>
  )
}
