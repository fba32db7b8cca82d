import { atom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useId, useRef, useState } from 'react'

import { lazyScreen } from '../../components/lazy-screen.tsx'
import { useLostFocus } from '../../components/lost-focus.ts'
import { Notice } from '../../components/Notice.tsx'
import { ResourceView } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { formatCount } from '../../lib/formats.ts'
import { isPhoneAtom, isTabletAtom } from '../../lib/screen.ts'
import { reloadRidesAtom, type ShownRides, shownRidesAtom } from './atoms.ts'
import { doubtedRidesAtom } from './doubted.ts'
import { drillDownAtom } from './drill-down.ts'
import { DrillDown } from './DrillDown.tsx'
import { activeFiltersAtom, clearFiltersAtom, effectiveFiltersAtom } from './filters.ts'
import { ActiveFilters, ClearFilters, RideFilters } from './RideFilters.tsx'
import styles from './RidesList.module.css'
import { RideCards } from './RideCards.tsx'
import { ColumnsMenu, DownloadCsv, RidesSummary, SortField } from './RidesTools.tsx'
import { useRowKeys } from './row-keys.ts'

const CHART_PLACEHOLDER = <Skeleton width="100%" height="100%" />

/** Loaded separately, so it doesn't delay the list. */
const RidesChart = lazyScreen(() => import('./chart/RidesChart.tsx'), CHART_PLACEHOLDER)

const LIST_PLACEHOLDER = <Skeleton width="100%" height="24rem" />

/** Loaded separately, because phones don't need it. */
const RidesTable = lazyScreen(() => import('./RidesTable.tsx'), LIST_PLACEHOLDER)

/** Loads the table in parallel with the rides. */
export const preloadTableAtom = atom((get) => {
  if (!get(isPhoneAtom)) get(RidesTable.codeAtom)
})

type Props = { gearId: number | null; hasChart?: boolean; children: ReactNode }

export function RidesList({ gearId, hasChart = true, children }: Props) {
  const drillDown = useAtomValue(drillDownAtom)
  const isNarrowed = useAtomValue(activeFiltersAtom).length > 0
  // On a phone, filters are behind one button, so the first ride is visible without scrolling.
  const isPhone = useAtomValue(isPhoneAtom)
  useAtomValue(preloadTableAtom)
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  // The focused button or link disappears when it is pressed to show all rides.
  useLostFocus(`${drillDown.state} ${isNarrowed}`, () =>
    list.current?.querySelector<HTMLElement>(`search, .${styles.phoneTools} :is(button, select)`),
  )
  const hasFilters = drillDown.state === 'off' || drillDown.state === 'missing'

  return (
    <div ref={list} className={styles.list}>
      <div className={hasChart ? styles.top : undefined}>
        <div className="stack">
          {children}
          {drillDown.state !== 'off' && gearId !== null && <DrillDown gearId={gearId} />}
          {isPhone && (
            <div className={`row ${styles.phoneTools}`}>
              <button
                type="button"
                className="opener"
                aria-expanded={isOpen}
                onClick={() => setOpen((wasOpen) => !wasOpen)}
              >
                {hasFilters ? 'Filters' : 'More'}
              </button>
              <SortField />
              {hasFilters && <ClearFilters />}
              {hasFilters && !isOpen && <ActiveFilters />}
            </div>
          )}
          {hasFilters && (!isPhone || isOpen) && <RideFilters />}
        </div>
        {hasChart && <Chart isPlain={isPhone && !isOpen} />}
      </div>
      <Rides hasTools={!isPhone || isOpen} />
    </div>
  )
}

function Chart({ isPlain }: { isPlain: boolean }) {
  const rides = useAtomValue(shownRidesAtom)
  const doubted = useAtomValue(doubtedRidesAtom)
  if (rides.state === 'loading' || doubted === undefined) return CHART_PLACEHOLDER
  if (rides.state === 'failed' || rides.data.total === 0) return null
  return <RidesChart rides={rides.data.matching} doubted={doubted} isPlain={isPlain} />
}

function Rides({ hasTools }: { hasTools: boolean }) {
  const rides = useAtomValue(shownRidesAtom)
  const reload = useSetAtom(reloadRidesAtom)
  return (
    <ResourceView
      resource={rides}
      failed="The rides could not be loaded."
      outdated="The rides could not be reloaded, so these may be out of date."
      retry={reload}
      loading={LIST_PLACEHOLDER}
    >
      {(shown, { updating }) => <Shown shown={shown} isUpdating={updating} hasTools={hasTools} />}
    </ResourceView>
  )
}

type ShownProps = { shown: ShownRides; isUpdating: boolean; hasTools: boolean }

function Shown({ shown, isUpdating, hasTools }: ShownProps) {
  const isDrillDown = useAtomValue(drillDownAtom).state === 'on'
  const { rows, totals, total, read, future } = shown
  const isPhone = useAtomValue(isPhoneAtom)
  const isTablet = useAtomValue(isTabletAtom)

  if (total === 0) return <NoRides ofGear />
  return (
    <>
      <div className={`row ${styles.tools}`}>
        <RidesSummary shown={shown} />
        {!isPhone && !isDrillDown && <ClearFilters />}
        {!isPhone && <SortField />}
        {!isTablet && <ColumnsMenu />}
        {hasTools && <DownloadCsv rows={rows} isComplete={read === total} />}
      </div>
      {future > 0 && (
        <p className="note">
          {`${formatCount(future)} of these rides ${future === 1 ? 'is in the future and counts' : 'are in the future and count'} nowhere yet.`}
        </p>
      )}
      {rows.length > 0 && <Matching rows={rows} totals={totals} isUpdating={isUpdating} />}
      {rows.length === 0 && !isDrillDown && <NoRides />}
    </>
  )
}

type MatchingProps = Pick<ShownRides, 'rows' | 'totals'> & { isUpdating: boolean }

/** Shows rides as a table or, where that doesn't fit, as cards. A focused ride stays focused when that changes. */
function Matching({ rows, totals, isUpdating }: MatchingProps) {
  const note = useId()
  const isDrillDown = useAtomValue(drillDownAtom).state === 'on'
  const isTablet = useAtomValue(isTabletAtom)
  const keys = useRowKeys(rows)
  useLostFocus(isTablet, keys.findStop)

  if (isTablet) return <RideCards rows={rows} isUpdating={isUpdating} keys={keys} />
  return (
    <>
      <RidesTable rows={rows} totals={totals} isUpdating={isUpdating} describedBy={note} keys={keys} />
      <p id={note} className="note">
        Last row: totals for distance, time and elevation, the highest maximum, and averages weighted by
        moving time. Rides without a value are left out.
        {isDrillDown && ' If moving time is missing, duration counts instead, as in Use Time.'}
      </p>
    </>
  )
}

function NoRides({ ofGear = false }: { ofGear?: boolean }) {
  const { gear } = useAtomValue(effectiveFiltersAtom)
  const isNarrowed = useAtomValue(activeFiltersAtom).length > 0
  const clear = useSetAtom(clearFiltersAtom)

  if (!ofGear)
    return <Notice action={{ label: 'Show all', run: clear }}>No rides match these filters.</Notice>
  return (
    <Notice {...(isNarrowed && { action: { label: 'Clear filters', run: clear } })}>
      {WHY_EMPTY[gear] ?? OF_BIKE}
    </Notice>
  )
}

const OF_BIKE =
  'No rides on this bike yet. Set it as the gear of your rides on Ride with GPS, then update your rides.'

const WHY_EMPTY: Readonly<Record<string, string>> = {
  all: 'No rides yet. Update your rides to get them from Ride with GPS.',
  none: 'Every ride is on one of your bikes.',
}
