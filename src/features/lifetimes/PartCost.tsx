import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import type { Units } from '../../lib/units.ts'
import type { Item } from '../items/fields.ts'
import type { Group } from './api.ts'
import { allLifetimesAtom } from './atoms.ts'
import { costSoFar, rangeOf, typicalOf } from './lifetime-stats.ts'

/** Shows a part's cost per distance and hour, and how long similar parts last. Renders nothing for work. */
export function PartCost({ item }: { item: Item }) {
  const lifetimes = useAtomValue(allLifetimesAtom)
  const units = useAtomValue(unitsAtom)
  if (lifetimes.state !== 'ready') return null
  const group = lifetimes.data.groups.find((one) =>
    one.lifetimes.some(({ part_id }) => part_id === item.part_id),
  )
  const lifetime = group?.lifetimes.find(({ part_id }) => part_id === item.part_id)
  if (!group || !lifetime) return null

  const rows = [
    [`Per 1,000 ${units.distance.unit}`, costSoFar(lifetime, 'distance', units)],
    ['Per hour', costSoFar(lifetime, 'moving_time', units)],
    ...(group.lifetimes.length > 1 ? [['Others like it', othersOf(group, units)]] : []),
  ]
  return (
    <section aria-label="Cost" aria-busy={lifetimes.updating}>
      <h3>{lifetime.running && lifetime.cost_per_km !== null ? 'Cost so far' : 'Cost'}</h3>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label} className="ends">
            <dt className="soft">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function othersOf(group: Group, units: Units): string {
  const typical = typicalOf(group, 'distance', units)
  if (group.median === null) return typical
  return [typical, rangeOf(group, 'distance', units), `${group.lifetimes.length} in all`].join(', ')
}
