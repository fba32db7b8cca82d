import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import type { RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { TableHead } from '../../components/tables.tsx'
import { formatHours, useFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { InclEarlier } from '../entries/InclEarlier.tsx'
import type { Group, Lifetimes } from './api.ts'
import { mergeAtom } from './atoms.ts'
import { comparisonOf } from '../../../supabase/functions/_shared/messages/lifetime-messages.ts'
import {
  costSoFar,
  endOf,
  rateLabel,
  ruleOf,
  spreadOf,
} from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'
import styles from './Lifetimes.module.css'
import { datesOf, hrefOf } from './links.ts'

type Props = { group: Group; groups: readonly Group[]; comparisons: Lifetimes['comparisons']; axis: RideAxis }

export function GroupDetails({ group, groups, comparisons, axis }: Props) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const newestFirst = group.lifetimes.toSorted((a, b) => (a.started < b.started ? 1 : -1))
  const numbers = [formats.name, 'Time', 'Cost', rateLabel(axis, formats)]
  return (
    <>
      <p>{`${spreadOf(group, axis, formats)} ${ruleOf(group, axis)} ${comparisonOf(group, groups, comparisons)}`}</p>
      <p>{`${rateLabel(axis, formats)} counts only worn-out parts with a price. It includes their paid services.`}</p>
      <div className={styles.scroller}>
        <table className={`plain-table ${styles.lifetimes}`}>
          <TableHead
            headers={['Bike', 'In use', 'Ended', ...numbers]}
            classOf={(header) => (numbers.includes(header) ? 'number' : undefined)}
          />
          <tbody>
            {newestFirst.map((lifetime) => (
              <tr key={lifetime.part_id}>
                <th scope="row">
                  <a href={hrefOf(lifetime)}>{bikeName(lifetime.gear_id)}</a>
                </th>
                <td>{datesOf(lifetime, formats, today)}</td>
                <td>{endOf(lifetime)}</td>
                <td className="number">
                  {`${lifetime.finished || lifetime.distance === 0 ? '' : '≥\u00A0'}${formats.distance.formatWhole(lifetime.distance || null)}`}
                  <InclEarlier part={lifetime} axis="distance" />
                </td>
                <td className="number">
                  {formatHours(lifetime.moving_time || null)}
                  <InclEarlier part={lifetime} axis="moving_time" />
                </td>
                <td className="number">{formats.wholeMoney(lifetime.cost || null)}</td>
                <td className="number">{costSoFar(lifetime, axis, formats)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Merge group={group} groups={groups} />
    </>
  )
}

/** Merges two spellings of the same name. */
function Merge({ group, groups }: { group: Group; groups: readonly Group[] }) {
  const merge = useSetAtom(mergeAtom)
  const readOnly = useReadOnly()
  const [name, setName] = useState('')
  const others = groups.filter((other) => other.type === group.type && other.key !== group.key)
  if (others.length === 0) return null
  return (
    <form
      className={`row ${styles.merge}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (name !== '') void merge(group, name)
      }}
    >
      <label>
        Merge with another name{' '}
        <select value={name} {...readOnly} onChange={(event) => setName(event.target.value)}>
          <option value="">Choose a name</option>
          {others.map((other) => (
            <option key={other.key} value={other.name}>
              {other.name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" {...readOnly} disabled={readOnly.disabled || name === ''}>
        Merge
      </button>
    </form>
  )
}
