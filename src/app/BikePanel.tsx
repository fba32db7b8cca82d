import { useAtom } from 'jotai'
import { lazy, Suspense } from 'react'

import { Skeleton } from '../components/Skeleton.tsx'
import { Tabs } from '../components/Tabs.tsx'
import type { Bike } from '../features/bikes'
import { MaintenanceLog } from '../features/maintenance'
import { TotalMiles, UsageFailure } from '../features/usage'
import { addressAtom } from '../lib/address.ts'
import styles from './BikePanel.module.css'

// The list of rides has the heavier table; the log does not wait for it.
const RidesTab = lazy(() => import('./RidesTab.tsx'))

const TABS = [
  { id: 'log', label: 'Maintenance Log' },
  { id: 'rides', label: 'Rides' },
] as const

export function BikePanel({ bike }: { bike: Bike }) {
  const [address, setAddress] = useAtom(addressAtom)
  const tab = address['tab'] === 'rides' ? 'rides' : 'log'

  return (
    <section className={styles.bike} aria-labelledby="bike-name">
      <div className={styles.heading}>
        <h2 id="bike-name" className={styles.name}>
          {bike.name}
        </h2>
        <TotalMiles gearId={bike.gear_id} />
        <UsageFailure gearId={bike.gear_id} />
      </div>
      <Tabs
        label={bike.name}
        tabs={TABS}
        selected={tab}
        onSelect={(id) => setAddress({ set: { tab: id === 'rides' ? id : null, use: null }, by: 'push' })}
      >
        {tab === 'log' ? (
          <MaintenanceLog gearId={bike.gear_id} />
        ) : (
          <Suspense fallback={<Skeleton width="100%" height="60dvh" />}>
            <RidesTab gearId={bike.gear_id} />
          </Suspense>
        )}
      </Tabs>
    </section>
  )
}
