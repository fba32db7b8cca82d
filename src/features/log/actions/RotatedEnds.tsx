import { useAtomValue } from 'jotai'

import { withoutEnds } from '../../../../supabase/functions/_shared/messages/kind-messages.ts'
import { addDays, type Day } from '../../../lib/days.ts'
import { MISSING, upperFirst, useHeldFormats } from '../../../lib/formats.ts'
import type { NamedBike } from '../../bikes/api.ts'
import type { Item } from '../../entries/fields.ts'
import { usageOnDayAtom } from '../../entries/usage.ts'
import styles from './RotateDialog.module.css'
import { type End, ENDS, otherEnd, type Rotation } from './rotation.ts'

type Props = { bike: NamedBike; rotation: Rotation; day: Day; withoutWords: boolean }

/** Shows each end of a bike before and after a rotation, with the parts' distances at both ends when it happens. */
export function Ends({ bike, rotation: { at }, day, withoutWords }: Props) {
  const { day: shownDay, distance } = useHeldFormats()
  // Rides of the day itself count for the new end.
  const usage = useAtomValue(usageOnDayAtom(bike.gear_id, addDays(day, -1)))
  const until = ({ part_id }: Item, end: End) => {
    if (usage.state !== 'ready') return MISSING
    return distance.format(usage.data.byPart.get(part_id)?.by_position?.[end]?.distance ?? 0)
  }
  return (
    <table className={styles.ends} data-wide>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">End</span>
          </th>
          <th scope="col">{`Until ${shownDay(day)}`}</th>
          <th scope="col">{`From ${shownDay(day)}`}</th>
        </tr>
      </thead>
      <tbody>
        {ENDS.map((end) => {
          const [before, after] = [at[end], at[otherEnd(end)]]
          return (
            <tr key={end}>
              <th scope="row">{upperFirst(end)}</th>
              <td>
                {before?.name ?? 'Nothing'}
                {before && <span className="tiny">{`${until(before, end)} at the ${end}`}</span>}
              </td>
              <td>
                <span className={styles.after}>
                  {after ? (withoutWords ? withoutEnds(after.name) : after.name) : 'Nothing'}
                </span>
                {after && (
                  <span className="tiny">
                    {`${until(after, end)} ${end}, ${until(after, otherEnd(end))} ${otherEnd(end)}`}
                  </span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
