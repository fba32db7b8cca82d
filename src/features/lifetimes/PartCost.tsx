import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { formatCurrency } from '../../lib/formats.ts'
import type { Units } from '../../lib/units.ts'
import type { Item } from '../maintenance'
import type { Group } from './api.ts'
import { allLifetimesAtom } from './atoms.ts'
import { rangeOf, rateOf, typicalOf } from './lifetime-stats.ts'
import styles from './PartCost.module.css'

/** What an item's part costs per distance and hour, and how long its kind lasts. Absent for work. */
export function PartCost({ item }: { item: Item }) {
  const lifetimes = useAtomValue(allLifetimesAtom)
  const units = useAtomValue(unitsAtom)
  if (lifetimes.state !== 'ready') return null
  const group = lifetimes.data.groups.find((one) =>
    one.lifetimes.some(({ part_id }) => part_id === item.part_id),
  )
  const lifetime = group?.lifetimes.find(({ part_id }) => part_id === item.part_id)
  if (!group || !lifetime) return null

  const atMost = lifetime.finished || lifetime.distance === 0 ? '' : '≤\u00A0'
  const rows = [
    [`Per 1,000 ${units.distance.unit}`, `${atMost}${formatCurrency(rateOf(lifetime, 'distance', units))}`],
    ['Per hour', `${atMost}${formatCurrency(lifetime.cost_per_hour)}`],
    ...(group.lifetimes.length > 1 ? [['Others like it', othersOf(group, units)]] : []),
  ]
  return (
    <section className={styles.cost} aria-label="Cost" aria-busy={lifetimes.updating}>
      <h3>{lifetime.running && lifetime.distance > 0 ? 'Cost, at most so far' : 'Cost'}</h3>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function othersOf(group: Group, units: Units): string {
  const range = group.has_range ? [rangeOf(group, 'distance', units)] : []
  return [typicalOf(group, 'distance', units), ...range, `${group.lifetimes.length} in all`].join(', ')
}
