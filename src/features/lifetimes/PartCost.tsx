import { AXES, RIDE_AXES } from '../../../supabase/functions/_shared/axes.ts'
import { type Formats, useFormats } from '../../lib/formats.ts'
import { hrefInDialog } from '../entries/links.ts'
import type { Group } from './api.ts'
import { costSoFar, rangeOf, typicalOf } from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'
import { kindHref } from './links.ts'

const OTHERS = 'Others like it'

type Props = { partId: number; group: Group | null }

/** Shows a part's cost per distance and per hour, and its group's typical lifetime. Renders nothing for work, which has no group. */
export function PartCost({ partId, group }: Props) {
  const formats = useFormats()
  const lifetime = group?.lifetimes.find(({ part_id }) => part_id === partId)
  if (!group || !lifetime) return null

  const rows = [
    ...RIDE_AXES.map((axis) => [
      `Per ${AXES[axis].ride.rate.name(formats)}`,
      costSoFar(lifetime, axis, formats),
    ]),
    ...(group.lifetimes.length > 1 ? [[OTHERS, othersOf(group, formats)]] : []),
  ]
  return (
    <section aria-label="Cost">
      <h3>{lifetime.running && lifetime.cost_per_km !== null ? 'Cost so far' : 'Cost'}</h3>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label} className="ends">
            <dt className="soft">
              {label === OTHERS ? <a href={hrefInDialog(kindHref(group))}>{label}</a> : label}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function othersOf(group: Group, formats: Formats): string {
  const typical = typicalOf(group, 'distance', formats)
  if (group.median === null) return typical
  return [typical, rangeOf(group, 'distance', formats), `${group.lifetimes.length} in all`].join(', ')
}
