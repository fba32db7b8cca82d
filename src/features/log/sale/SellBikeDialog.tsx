import { useAtomValue, useSetAtom } from 'jotai'

import { toggle } from '../../../components/Choices.tsx'
import { DateField, TextField } from '../../../components/fields.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { ResourceDialog } from '../../../components/ResourceDialog.tsx'
import { useForm } from '../../../components/use-form.ts'
import { backendAtom } from '../../../lib/backend.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { pastDayKind } from '../../../lib/field-kinds.ts'
import { choiceKind } from '../../../lib/forms.ts'
import { counted, formatRiding, quote, useFormats, useHeldFormats } from '../../../lib/formats.ts'
import { type Bike, brandAndModel } from '../../bikes/api.ts'
import { selectedBikeAtom } from '../../bikes/atoms.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import type { Usage } from '../../entries/usage-api.ts'
import { usageAtom } from '../../entries/usage.ts'
import { useJournal } from '../../journal/use-journal.ts'
import { dueAtom } from '../../service/atoms.ts'
import { bikeDetailsAtom, passportHref, sellBikeAtom } from './atoms.ts'
import { DETAILS_TITLE, priceKind, problemOfDay, soldWith } from './fields.ts'
import { GoesAlong } from './GoesAlong.tsx'
import styles from './SellBikeDialog.module.css'

const TITLE = 'Sell this bike…'

/** Sells the selected bike. */
export default function SellBikeDialog({ onClose }: { onClose: () => void }) {
  const bike = useAtomValue(selectedBikeAtom)
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  if (!bike) return null
  const reads = [
    bikeDetailsAtom(bike.gear_id),
    logAtom(bike.gear_id),
    usageAtom(bike.gear_id),
    dueAtom,
  ] as const
  return (
    <ResourceDialog title={TITLE} lead={bike.name} reads={reads} onClose={onClose}>
      {({ sold_on }, log, usage, { tasks }) =>
        sold_on === null ? (
          <SaleForm
            bike={bike}
            items={soldWith(log, today)}
            usage={usage}
            taskCount={
              tasks.filter(({ gear_id, state }) => gear_id === bike.gear_id && state !== 'paused').length
            }
            onClose={onClose}
          />
        ) : (
          <Dialog title={TITLE} lead={bike.name} onClose={onClose}>
            <p>{`It was sold on ${formats.day(sold_on)}. If it came back, clear that day in “${DETAILS_TITLE}”.`}</p>
          </Dialog>
        )
      }
    </ResourceDialog>
  )
}

type Props = { bike: Bike; items: readonly Item[]; usage: Usage; taskCount: number; onClose: () => void }

function SaleForm({ bike, items, usage, taskCount, onClose }: Props) {
  const today = useAtomValue(todayAtom)
  const formats = useHeldFormats()
  const sell = useSetAtom(sellBikeAtom)
  const form = useForm({
    fields: { day: pastDayKind(today), price: priceKind, goes_along: choiceKind<readonly number[]>() },
    inputs: { day: formats.day(today), goes_along: items.map(({ part_id }) => part_id) },
    check({ day }) {
      const problem = day && problemOfDay(day, items, formats)
      return problem ? { day: problem } : {}
    },
    save: ({ day, price, goes_along }, { key }) =>
      sell(bike, { day, price, goes_along: [...goes_along] }, key),
    outcome: () => ({ subject: quote(bike.name), done: 'sold' }),
    journal: useJournal('bike_details'),
  })
  const { day, price } = form.values
  const along = form.field('goes_along')
  const { distance, moving_time } = usage.total
  const facts = [brandAndModel(bike), formats.distance.format(distance), formatRiding(moving_time)]
  const sold = items.filter(({ part_id }) => along.value.includes(part_id)).length
  return (
    <FormDialog
      title={TITLE}
      lead={`${bike.name}: ${facts.filter(Boolean).join(', ')}`}
      label="Sell"
      isPage
      tools={
        <a href={passportHref(bike.gear_id)} target="_blank" rel="noopener" className="to-start">
          Passport for the buyer
        </a>
      }
      form={form}
      onClose={onClose}
    >
      <DateField label="Day" {...form.field('day')} problem={form.problems.day} />
      <TextField
        label="Price"
        inputMode="decimal"
        placeholder="Empty if you gave it away"
        {...form.field('price')}
        problem={form.problems.price}
      />
      <GoesAlong
        items={items}
        usage={usage}
        chosen={along.value}
        onToggle={(part) => along.onChange(toggle(along.value, part))}
        onChoose={along.onChange}
      />
      <section data-wide className={styles.outcome} aria-labelledby="sale-outcome">
        <h3 id="sale-outcome">What happens</h3>
        <ul>
          {items.length > 0 && (
            <li>{partsText(sold, items.length - sold, day ? formats.day(day) : 'that day')}</li>
          )}
          {taskCount > 0 && (
            <li>{`${counted(taskCount, 'service task')} ${taskCount === 1 ? 'pauses' : 'pause'}: no due lines, notifications or calendar.`}</li>
          )}
          {!!price && day && (
            <li>{`${formats.money(price)} counts as income in Spending of ${day.slice(0, 4)}. Costs stay as they are.`}</li>
          )}
          <li>
            The log and the rides stay, under Retired. <RetireToo />
          </li>
        </ul>
      </section>
    </FormDialog>
  )
}

/** `8 parts end on 11/27/2026 as sold, 2 go to storage.` */
function partsText(sold: number, stored: number, day: string): string {
  const ends = `${counted(sold, 'part')} ${sold === 1 ? 'ends' : 'end'} on ${day} as sold`
  if (stored === 0) return `${ends}.`
  const rest = `${sold === 0 ? counted(stored, 'part') : stored} ${stored === 1 ? 'goes' : 'go'} to storage`
  return sold === 0 ? `${rest}.` : `${ends}, ${rest}.`
}

function RetireToo() {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  return (
    <span className="note">
      Retire it at{' '}
      <a href={`${rwgpsUrl}/gear`} target="_blank" rel="noopener">
        Ride with GPS
      </a>
      , too.
    </span>
  )
}
