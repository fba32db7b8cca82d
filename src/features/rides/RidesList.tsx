import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, type ReactNode, Suspense, useDeferredValue, useId, useRef } from 'react'

import { useLostFocus } from '../../components/lost-focus.ts'
import { Notice } from '../../components/Notice.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { messageFor } from '../../lib/errors.ts'
import type { Resource } from '../../lib/resource.ts'
import { rereadRidesAtom, type ShownRides, shownRidesAtom } from './atoms.ts'
import { behindAtom } from './behind.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { isNarrowedAtom } from './filter-atoms.ts'
import { NoRides } from './NoRides.tsx'
import { RideFilters } from './RideFilters.tsx'
import { RidesBehind } from './RidesBehind.tsx'
import styles from './RidesList.module.css'
import { RidesSummary } from './RidesSummary.tsx'
import { RidesTable } from './RidesTable.tsx'

// The list does not wait for its picture.
const RidesChart = lazy(() => import('./chart/RidesChart.tsx'))

/**
 * The filters, and the picture and the table of the rides that they let through; in place of the filters, what number
 * the list is narrowed to. `children` stand above them.
 */
export function RidesList({ gearId, children }: { gearId: number; children: ReactNode }) {
  const behind = useAtomValue(behindAtom)
  const rides = useAtomValue(shownRidesAtom)
  const isNarrowed = useAtomValue(isNarrowedAtom)
  const list = useRef<HTMLDivElement>(null)
  // Whatever shows all rides leaves as soon as they are shown.
  useLostFocus(`${behind.state} ${isNarrowed}`, () => list.current?.querySelector<HTMLElement>('search'))

  return (
    <div ref={list} className={styles.list}>
      <div className={styles.top}>
        <div className={styles.controls}>
          {children}
          {behind.state !== 'off' && <RidesBehind gearId={gearId} />}
          {(behind.state === 'off' || behind.state === 'unknown') && <RideFilters />}
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
  const reread = useSetAtom(rereadRidesAtom)
  const tryAgain = { label: 'Try again', run: reread }
  // What comes after the placeholder is drawn in small steps, between which the page answers.
  const isLoading = useDeferredValue(rides.state === 'loading')

  if (isLoading || rides.state === 'loading') return <Skeleton width="100%" height="24rem" />
  if (rides.state === 'failed') {
    return <Notice action={tryAgain}>{`The rides could not be read. ${messageFor(rides.error)}`}</Notice>
  }
  return (
    <>
      {rides.failure && (
        <Notice action={tryAgain}>
          {`The rides could not be read again: these are from before. ${messageFor(rides.failure)}`}
        </Notice>
      )}
      <Shown shown={rides.data} isUpdating={rides.updating} />
    </>
  )
}

function Shown({ shown, isUpdating }: { shown: ShownRides; isUpdating: boolean }) {
  const note = useId()
  const isUsage = useAtomValue(behindAtom).state === 'on'
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
        !isUsage && <NoRides />
      ) : (
        <>
          <RidesTable rows={rows} totals={totals} isUpdating={isUpdating} describedBy={note} />
          <p id={note} className={styles.note}>
            Last row: sums of distances, times and climbing, the highest of maxima, and averages weighted by
            moving time, each over the rides that have the value.
            {isUsage && ' A ride without a moving time counts its duration, as in Use Time.'}
          </p>
        </>
      )}
    </>
  )
}

function ChartSkeleton() {
  return <Skeleton width="100%" height="100%" />
}
