import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, type ReactNode, Suspense, useDeferredValue, useId, useRef } from 'react'

import { useLostFocus } from '../../components/lost-focus.ts'
import { Notice } from '../../components/Notice.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { messageFor } from '../../lib/errors.ts'
import type { Resource } from '../../lib/resource.ts'
import { reloadRidesAtom, type ShownRides, shownRidesAtom } from './atoms.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { drillDownAtom } from './drill-down.ts'
import { DrillDown } from './DrillDown.tsx'
import { isNarrowedAtom } from './filter-atoms.ts'
import { NoRides } from './NoRides.tsx'
import { RideFilters } from './RideFilters.tsx'
import styles from './RidesList.module.css'
import { RidesSummary } from './RidesSummary.tsx'
import { RidesTable } from './RidesTable.tsx'

// A separate chunk, so it does not delay the list.
const RidesChart = lazy(() => import('./chart/RidesChart.tsx'))

/** The filters or drill-down, with a chart and a table of the matching rides. `children` are shown above. */
export function RidesList({ gearId, children }: { gearId: number; children: ReactNode }) {
  const drillDown = useAtomValue(drillDownAtom)
  const rides = useAtomValue(shownRidesAtom)
  const isNarrowed = useAtomValue(isNarrowedAtom)
  const list = useRef<HTMLDivElement>(null)
  // The button or link that shows all rides disappears when pressed.
  useLostFocus(`${drillDown.state} ${isNarrowed}`, () => list.current?.querySelector<HTMLElement>('search'))

  return (
    <div ref={list} className={styles.list}>
      <div className={styles.top}>
        <div className={styles.controls}>
          {children}
          {drillDown.state !== 'off' && <DrillDown gearId={gearId} />}
          {(drillDown.state === 'off' || drillDown.state === 'missing') && <RideFilters />}
        </div>
        {rides.state === 'loading' && <ChartSkeleton />}
        {rides.state === 'ready' && rides.data.total > 0 && (
          <Suspense fallback={<ChartSkeleton />}>
            <RidesChart rides={rides.data.matching} />
          </Suspense>
        )}
      </div>
      <Rides rides={rides} />
    </div>
  )
}

function Rides({ rides }: { rides: Resource<ShownRides> }) {
  const reload = useSetAtom(reloadRidesAtom)
  const tryAgain = { label: 'Try again', run: reload }
  // Deferred, so React renders the table in slices and the page stays responsive.
  const isLoading = useDeferredValue(rides.state === 'loading')

  if (isLoading || rides.state === 'loading') return <Skeleton width="100%" height="24rem" />
  if (rides.state === 'failed') {
    return <Notice action={tryAgain}>{`The rides could not be loaded. ${messageFor(rides.error)}`}</Notice>
  }
  return (
    <>
      {rides.failure && (
        <Notice action={tryAgain}>
          {`The rides could not be reloaded, so these may be out of date. ${messageFor(rides.failure)}`}
        </Notice>
      )}
      <Shown shown={rides.data} isUpdating={rides.updating} />
    </>
  )
}

function Shown({ shown, isUpdating }: { shown: ShownRides; isUpdating: boolean }) {
  const note = useId()
  const isDrillDown = useAtomValue(drillDownAtom).state === 'on'
  const { rows, totals, total, read } = shown

  if (total === 0) return <NoRides ofGear />
  return (
    <>
      <div className={styles.tools}>
        <RidesSummary shown={shown} />
        <ColumnsMenu />
        <DownloadCsv rows={rows} isComplete={read === total} />
      </div>
      {rows.length === 0 ? (
        !isDrillDown && <NoRides />
      ) : (
        <>
          <RidesTable rows={rows} totals={totals} isUpdating={isUpdating} describedBy={note} />
          <p id={note} className={styles.note}>
            Last row: totals for distance, time and elevation, the highest maximum, and averages weighted by
            moving time. Rides without a value are left out.
            {isDrillDown && ' If moving time is missing, duration counts instead, as in Use Time.'}
          </p>
        </>
      )}
    </>
  )
}

function ChartSkeleton() {
  return <Skeleton width="100%" height="100%" />
}
