import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { Failure } from '../../../components/ResourceView.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { Scroller } from '../../../components/tables.tsx'
import { type Bike, brandAndModel } from '../../bikes/api.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { logHref } from '../../entries/links.ts'
import type { Usage } from '../../entries/usage-api.ts'
import { usageAtom } from '../../entries/usage.ts'
import { type BikeDetails, bikeDetailsAtom } from '../sale/atoms.ts'
import { timelineAtom } from '../timeline/atoms.ts'
import { dayAtom } from '../parts-on-day/day.ts'
import { EntryTable } from './EntryTable.tsx'
import { hasPricesAtom, isPassportAtom } from './options.ts'
import sheet from '../parts-on-day/Sheet.module.css'
import styles from './PartsList.module.css'
import { DayChoice, DayTable } from '../parts-on-day/PartsOnDay.tsx'

/** Renders a bike's log, or its passport with services and costs, for printing or saving as PDF, for a buyer or an insurer. */
export default function PartsList({ bike }: { bike: Bike }) {
  const log = useAtomValue(logAtom(bike.gear_id))
  const usage = useAtomValue(usageAtom(bike.gear_id))
  const { day, problem } = useAtomValue(dayAtom)
  const details = useAtomValue(bikeDetailsAtom(bike.gear_id))
  const reloadDetails = useSetAtom(bikeDetailsAtom(bike.gear_id).reloadAtom)
  const reloadLog = useSetAtom(logAtom(bike.gear_id).reloadAtom)
  const reloadUsage = useSetAtom(usageAtom(bike.gear_id).reloadAtom)

  const failed = [log, usage, details].find(({ state }) => state === 'failed')
  if (failed?.state === 'failed') {
    const retry = () => Promise.all([reloadLog(), reloadUsage(), reloadDetails()])
    return <Failure what="The parts list could not be loaded." error={failed.error} retry={retry} />
  }
  if (log.state !== 'ready' || usage.state !== 'ready' || details.state !== 'ready')
    return <Skeleton width="100%" height="60dvh" />
  return (
    <>
      <div className={styles.actions}>
        <a href={logHref(bike.gear_id)} className="to-start">
          Back to the log
        </a>
        {day && <a href={`#bike=${bike.gear_id}&view=parts-list`}>Show all entries</a>}
        {day === null && <Options />}
        <DayChoice />
        <button type="button" className="primary" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <article className={sheet.sheet} aria-labelledby="parts-list">
        <h2 id="parts-list" className="title">
          {bike.name}
        </h2>
        <p>{brandAndModel(bike)}</p>
        <p>{factsOf(details.data)}</p>
        {day === null && <Entries items={log.data} usage={usage.data} gearId={bike.gear_id} />}
        {day !== null && problem === null && (
          <Scroller label="Parts">
            <DayTable gearId={bike.gear_id} day={day} isSheet />
          </Scroller>
        )}
      </article>
    </>
  )
}

/** `Serial number WTU 1, size 56, blue` */
const factsOf = ({ serial_number, size, color }: BikeDetails) =>
  [serial_number && `Serial number ${serial_number}`, size && `size ${size}`, color]
    .filter(Boolean)
    .join(', ')

function Options() {
  const [isPassport, setPassport] = useAtom(isPassportAtom)
  const [hasPrices, setPrices] = useAtom(hasPricesAtom)
  return (
    <div className={styles.options}>
      <label className="row small">
        <input type="checkbox" checked={isPassport} onChange={({ target }) => setPassport(target.checked)} />
        Service and costs
      </label>
      <label className="row small">
        <input type="checkbox" checked={hasPrices} onChange={({ target }) => setPrices(target.checked)} />
        Prices
      </label>
    </div>
  )
}

type EntriesProps = { items: Item[]; usage: Usage; gearId: number }

function Entries(props: EntriesProps) {
  const hasPrices = useAtomValue(hasPricesAtom)
  return useAtomValue(isPassportAtom) ? (
    <Passport {...props} hasPrices={hasPrices} />
  ) : (
    <EntryTable {...props} services={null} hasPrices={hasPrices} />
  )
}

function Passport({ gearId, ...props }: EntriesProps & { hasPrices: boolean }) {
  const timeline = useAtomValue(timelineAtom(gearId))
  const reload = useSetAtom(timelineAtom(gearId).reloadAtom)
  if (timeline.state === 'failed')
    return <Failure what="The services could not be loaded." error={timeline.error} retry={reload} />
  if (timeline.state === 'loading') return <Skeleton width="100%" height="60dvh" />
  return <EntryTable {...props} services={timeline.data.services} />
}
