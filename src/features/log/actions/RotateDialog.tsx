import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { ROTATED_KINDS, type RotatedKind } from '../../../../supabase/functions/_shared/kinds.ts'
import { kindPlural, withoutEnds } from '../../../../supabase/functions/_shared/messages/kind-messages.ts'
import { DateField } from '../../../components/fields.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { SegmentedControl } from '../../../components/SegmentedControl.tsx'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/days.ts'
import { pastDayKind } from '../../../lib/field-kinds.ts'
import { choiceKind } from '../../../lib/forms.ts'
import { upperFirst, useHeldFormats } from '../../../lib/formats.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { draftedItemsAtom } from '../../entries/drafts.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { useJournal } from '../../journal/use-journal.ts'
import { rotateAtom } from './atoms.ts'
import { Ends } from './RotatedEnds.tsx'
import styles from './RotateDialog.module.css'
import { ENDS, rotationOf } from './rotation.ts'

type Props = { bike: NamedBike; kind?: RotatedKind | undefined; onClose: () => void }

const titleOf = (kind: RotatedKind) => `Rotate ${kindPlural(kind)}…`

/** Puts what is at the front of a bike to the rear, and the other way around. */
export default function RotateDialog({ bike, kind, onClose }: Props) {
  const reads = [logAtom(bike.gear_id)] as const
  return (
    <ResourceDialog title={titleOf(kind ?? 'tire')} lead={bike.name} reads={reads} onClose={onClose}>
      {(items) => <RotateForm bike={bike} first={kind ?? likeliest(items)} items={items} onClose={onClose} />}
    </ResourceDialog>
  )
}

const likeliest = (items: readonly Item[]): RotatedKind =>
  ROTATED_KINDS.find((kind) => !('problem' in rotationOf(items, kind, []))) ?? 'tire'

type FormProps = { bike: NamedBike; first: RotatedKind; items: readonly Item[]; onClose: () => void }

function RotateForm({ bike, first, items, onClose }: FormProps) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const drafted = useAtomValue(draftedItemsAtom(bike.gear_id))
  const rotate = useSetAtom(rotateAtom)
  const [kind, setKind] = useState(first)
  const rotation = rotationOf(items, kind, drafted)
  const rotated = 'problem' in rotation ? null : rotation
  const hasWords = ENDS.some((end) => {
    const name = rotated?.at[end]?.name ?? ''
    return withoutEnds(name) !== name
  })
  const since = rotated && { day: dayOf(rotated.latest.dateStarted), what: 'installed', isAfter: true }
  const form = useForm({
    fields: { day: pastDayKind(today, since ?? undefined), withoutWords: choiceKind<boolean>() },
    inputs: { day: formats.day(today), withoutWords: true },
    save: ({ day, withoutWords }, { key }) =>
      rotate(bike, { kind, day, without_words: hasWords && withoutWords }, rotated!, key),
    outcome: () => ({ subject: 'The rotation', done: 'saved' }),
    journal: useJournal('maintenance'),
  })
  const withoutWords = form.field('withoutWords')
  const { day } = form.values
  return (
    <FormDialog
      title={titleOf(kind)}
      lead={bike.name}
      label="Rotate"
      isBlocked={rotated === null || form.problems.day !== undefined}
      form={form}
      onClose={onClose}
    >
      <DateField label="Day" {...form.field('day')} problem={rotated ? form.problems.day : undefined} />
      <div className={styles.what} data-wide>
        <SegmentedControl
          legend="What"
          options={ROTATED_KINDS.map((value) => ({ value, label: upperFirst(kindPlural(value)) }))}
          value={kind}
          onChange={setKind}
        />
      </div>
      {'problem' in rotation && (
        <p role="status" data-wide>
          {rotation.problem}
        </p>
      )}
      {rotated && day !== undefined && form.problems.day === undefined && (
        <Ends bike={bike} rotation={rotated} day={day} withoutWords={withoutWords.value} />
      )}
      {hasWords && (
        <label className={styles.words} data-wide>
          <input
            type="checkbox"
            checked={withoutWords.value}
            onChange={({ target }) => withoutWords.onChange(target.checked)}
          />
          <span>
            Take “front” and “rear” out of the names
            <span className="tiny">The log shows the end beside the name.</span>
          </span>
        </label>
      )}
    </FormDialog>
  )
}
