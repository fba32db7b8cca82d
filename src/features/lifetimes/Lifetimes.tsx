import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { AXES, RIDE_AXES, type RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { ResourceView } from '../../components/ResourceView.tsx'
import { SaveCsv } from '../../components/SaveCsv.tsx'
import { Section } from '../../components/Section.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { formatCount, upperFirst, useFormats } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { titleOf } from '../../../supabase/functions/_shared/messages/lifetime-messages.ts'
import type { Group, Lifetimes as Data } from './api.ts'
import { choiceAtom, lifetimesAtom, openKindsAtom, reloadLifetimesAtom } from './atoms.ts'
import { lifetimesToCsv } from './csv.ts'
import { Kind } from './Kind.tsx'
import { LifetimeFilters } from './LifetimeFilters.tsx'
import styles from './Lifetimes.module.css'
import { NO_TYPE, nameOfKind } from './links.ts'

export default function Lifetimes() {
  const lifetimes = useAtomValue(lifetimesAtom)
  const reload = useSetAtom(reloadLifetimesAtom)
  const [axis, setAxis] = useState<RideAxis>('distance')
  const formats = useFormats()
  const bikeName = useAtomValue(bikeNameAtom)
  const { type } = useAtomValue(choiceAtom)
  const all = lifetimes.state === 'ready' ? lifetimes.data.groups : []
  const groups = all.filter((group) => type === '' || (group.type ?? NO_TYPE) === type)
  return (
    <Section
      heading="Lifetimes"
      aside={
        <div className="row">
          <SegmentedControl
            legend="Lifetimes in"
            options={RIDE_AXES.map((value) => ({ value, label: upperFirst(AXES[value].label(formats)) }))}
            value={axis}
            onChange={setAxis}
          />
          <LifetimeFilters />
          <SaveCsv
            fileName="lifetimes.csv"
            isEmpty={groups.length === 0}
            toCsv={() => lifetimesToCsv(groups, formats, bikeName)}
          />
        </div>
      }
    >
      <ResourceView
        resource={lifetimes}
        failed="The lifetimes could not be calculated."
        retry={reload}
        loading={<Skeleton width="100%" height="60dvh" />}
      >
        {(data) => <Families data={data} groups={groups} axis={axis} />}
      </ResourceView>
    </Section>
  )
}

type FamiliesProps = { data: Data; groups: readonly Group[]; axis: RideAxis }

/** Hides closed kinds without a worn-out part until asked, because there is nothing to compare yet. */
function Families({ data, groups, axis }: FamiliesProps) {
  const open = useAtomValue(openKindsAtom)
  const [isComplete, setComplete] = useState(false)
  const withoutReason = groups.reduce((sum, { ended_without_reason }) => sum + ended_without_reason, 0)
  const families = data.families.flatMap((family) => {
    const own = family.groups.flatMap((key) => groups.find((group) => group.key === key) ?? [])
    return own.length === 0 ? [] : { family, own }
  })
  const answered = families.filter(
    ({ family }) => family.longest[axis] !== null || open.includes(nameOfKind(family)),
  )
  const shown = isComplete || answered.length === 0 ? families : answered
  if (families.length === 0)
    return <p className="note">No parts in the log yet, or none match the filters.</p>
  return (
    <>
      <div className={styles.kinds}>
        {shown.map(({ family, own }) => (
          <Kind
            key={nameOfKind(family)}
            family={family}
            title={titleOf(family, data.families)}
            groups={own}
            data={data}
            axis={axis}
          />
        ))}
      </div>
      {shown.length < families.length && (
        <button type="button" className={styles.more} onClick={() => setComplete(true)}>
          {`Show all ${families.length} kinds`}
        </button>
      )}
      {withoutReason > 0 && (
        <p className="note">
          {withoutReason === 1
            ? '1 part has no end reason; it counts as worn out.'
            : `${formatCount(withoutReason)} parts have no end reason; they count as worn out.`}
        </p>
      )}
    </>
  )
}
