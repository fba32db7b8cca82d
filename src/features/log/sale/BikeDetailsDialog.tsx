import { useAtomValue, useSetAtom } from 'jotai'

import { MAX_LENGTH } from '../../../../supabase/functions/_shared/limits.ts'
import { DateField, TextField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { optional, pastDayKind, textKind } from '../../../lib/field-kinds.ts'
import { quote } from '../../../lib/formats.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { selectedBikeAtom } from '../../bikes/atoms.ts'
import { useJournal } from '../../journal/use-journal.ts'
import { type BikeDetails, bikeDetailsAtom, editDetailsAtom } from './atoms.ts'
import { DETAILS_TITLE, priceKind } from './fields.ts'

const LENGTH = MAX_LENGTH.bike_details

/** Edits what the owner knows of the selected bike. */
export default function BikeDetailsDialog({ onClose }: { onClose: () => void }) {
  const bike = useAtomValue(selectedBikeAtom)
  if (!bike) return null
  return (
    <ResourceDialog
      title={DETAILS_TITLE}
      lead={bike.name}
      reads={[bikeDetailsAtom(bike.gear_id)]}
      onClose={onClose}
    >
      {(details) => <DetailsForm bike={bike} details={details} onClose={onClose} />}
    </ResourceDialog>
  )
}

type Props = { bike: NamedBike; details: BikeDetails; onClose: () => void }

function DetailsForm({ bike, details, onClose }: Props) {
  const today = useAtomValue(todayAtom)
  const edit = useSetAtom(editDetailsAtom)
  const form = useForm({
    fields: {
      serial_number: optional(textKind(LENGTH.serial_number)),
      size: optional(textKind(LENGTH.size)),
      color: optional(textKind(LENGTH.color)),
      sold_on: optional(pastDayKind(today)),
      sold_for: priceKind,
    },
    shown: details,
    save: (_values, { key, shown, wanted }) => edit(bike, { shown, wanted }, key),
    outcome: () => ({ subject: `What is known of ${quote(bike.name)}`, done: 'saved' }),
    journal: useJournal('bike_details'),
  })
  return (
    <FormDialog title={DETAILS_TITLE} lead={bike.name} label="Save" form={form} onClose={onClose}>
      <TextField label="Serial number" spellCheck={false} {...form.field('serial_number')} />
      <TextField label="Size" {...form.field('size')} />
      <TextField label="Color" {...form.field('color')} />
      {details.sold_on !== null && (
        <>
          <DateField label="Sold on" {...form.field('sold_on')} />
          <TextField label="Sold for" inputMode="decimal" {...form.field('sold_for')} />
          <p className="note" data-wide>
            Without a day, the bike is yours again. Its parts stay as they are.
          </p>
        </>
      )}
    </FormDialog>
  )
}
