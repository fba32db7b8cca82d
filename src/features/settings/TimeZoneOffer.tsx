import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { timeZoneAtom } from '../../lib/time-zone.ts'
import styles from './Settings.module.css'
import { keptZoneAtom, saveTimeZoneAtom } from './time-zone.ts'

/** Offers the browser's time zone, once. A rider on a journey may want to keep the one at home. */
export default function TimeZoneOffer({ zone }: { zone: string }) {
  const own = useAtomValue(timeZoneAtom)
  const save = useSetAtom(saveTimeZoneAtom)
  const keep = useSetAtom(keptZoneAtom)
  const readOnly = useReadOnly()
  return (
    <section className={`row ${styles.offer}`} aria-label="Time zone of this browser">
      <p className="soft">{`This browser is in ${placeOf(zone)}, your days are those of ${placeOf(own)}.`}</p>
      <button type="button" {...readOnly} onClick={() => void save(zone)}>
        {`Use ${placeOf(zone)}`}
      </button>
      <button type="button" className="quiet" onClick={() => keep(zone)}>
        Keep
      </button>
    </section>
  )
}

/** Returns the city of a time zone: `Los Angeles`. */
const placeOf = (zone: string) => zone.split('/').at(-1)!.replaceAll('_', ' ')
