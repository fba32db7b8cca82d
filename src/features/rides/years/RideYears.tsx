import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useRef } from 'react'

import { ResourceView } from '../../../components/ResourceView.tsx'
import { SegmentedControl } from '../../../components/SegmentedControl.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { counted, useFormats } from '../../../lib/formats.ts'
import { isPhoneAtom } from '../../../lib/screen.ts'
import {
  chosenPeriodAtom,
  doubtedOfGearAtom,
  type RideYears as Data,
  reloadYearsAtom,
  rideYearsAtom,
} from './atoms.ts'
import { LeftOut } from '../LeftOut.tsx'
import { ChosenPeriod } from './ChosenPeriod.tsx'
import { compare, QUANTITIES, type QuantityKey, yearsIn } from './months.ts'
import styles from './RideYears.module.css'
import { YearsTable } from './YearsTable.tsx'

const quantityAtom = atom<QuantityKey>('distance')

/** Compares months and years. A month or a year that is chosen filters the list below. */
export function RideYears() {
  const years = useAtomValue(rideYearsAtom)
  const reload = useSetAtom(reloadYearsAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  return (
    <ResourceView
      resource={years}
      failed="The months could not be added up."
      outdated="The months may be out of date."
      retry={reload}
      loading={<Skeleton width="100%" height={isPhone ? '57rem' : '24rem'} />}
    >
      {(data, { updating }) => <Years data={data} isUpdating={updating} />}
    </ResourceView>
  )
}

function Years({ data, isUpdating }: { data: Data; isUpdating: boolean }) {
  const formats = useFormats()
  const [quantity, setQuantity] = useAtom(quantityAtom)
  const [chosen, choose] = useAtom(chosenPeriodAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const doubted = useAtomValue(doubtedOfGearAtom)
  const years = yearsIn(data, doubted)
  const summary = useRef<HTMLDivElement>(null)
  const chooseAndShow = (period: string) => {
    choose(period)
    // The list is below a screen of months.
    if (isPhone) summary.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div className={styles.card} aria-busy={isUpdating}>
      <div className="ends">
        <Lead data={data} quantity={quantity} />
        <SegmentedControl
          legend="Show"
          options={(Object.keys(QUANTITIES) as QuantityKey[]).map((value) => ({
            value,
            label: value === 'distance' ? formats.name : QUANTITIES[value].label,
          }))}
          value={quantity}
          onChange={setQuantity}
        />
      </div>
      <YearsTable
        data={data}
        years={years}
        quantity={quantity}
        chosen={chosen}
        onChoose={chooseAndShow}
        isTurned={isPhone}
      />
      <LeftOut count={doubted.filter(({ started_at }) => started_at < years.at(-1)!).length} />
      <div ref={summary} className={styles.summary}>
        {chosen === null ? (
          <p className="note screen-only">Choose a month or a year to see its rides.</p>
        ) : (
          <ChosenPeriod data={data} period={chosen} onChoose={choose} />
        )}
      </div>
    </div>
  )
}

/** `4,479 mi this year, 641 mi more than last year by Nov 27` */
function Lead({ data, quantity }: { data: Data; quantity: QuantityKey }) {
  const formats = useFormats()
  const { today, years, total } = data
  const { format } = QUANTITIES[quantity]
  const of = (year: number) => years.find((one) => one.year === String(year))?.to_date[quantity] ?? 0
  const thisYear = Number(today.slice(0, 4))
  const [now, before] = [of(thisYear), of(thisYear - 1)]
  return (
    <p>
      <strong className={styles.amount}>{format(now, formats)}</strong> this year
      {before > 0 && (
        <>
          ,{' '}
          <strong>{`${compare(now, before, quantity, formats)} ${now === before ? 'as' : 'than'} last year`}</strong>
          {` by ${formats.shortDay(today, today)}`}
        </>
      )}
      <span className="note">{` · ${format(total[quantity], formats)} in all, ${counted(total.rides, 'ride')}`}</span>
    </p>
  )
}
