import { atom, useAtomValue, useSetAtom } from 'jotai'

import { BelowFold } from '../components/BelowFold.tsx'
import { lazyScreen } from '../components/lazy-screen.tsx'
import { Skeleton } from '../components/Skeleton.tsx'
import { Tabs } from '../components/Tabs.tsx'
import { bikesAtom } from '../features/bikes/atoms.ts'
import { checksAtom } from '../features/checks/atoms.ts'
import { ToCheck } from '../features/checks/ToCheck.tsx'
import { BikeCards } from '../features/garage/BikeCards.tsx'
import { garageAtom } from '../features/garage/atoms.ts'
import { GarageTotals, TotalsFailure } from '../features/garage/GarageTotals.tsx'
import { StoredParts } from '../features/log/actions/StoredParts.tsx'
import { AfterService } from '../features/service/AfterService.tsx'
import { Due } from '../features/service/Due.tsx'
import { dueTitleAtom, dueAtom } from '../features/service/atoms.ts'
import { addressAtom } from '../lib/address.ts'
import { areSettingsKnownAtom, chosenSettingsAtom } from '../lib/settings.ts'
import { offeredZoneAtom } from '../features/settings/time-zone.ts'
import { ACTIONS } from './actions.ts'
import styles from './GaragePage.module.css'

/** The locale whose formats are the default settings. */
const DEFAULT_LOCALE = 'en-US'

const PLACEHOLDER = <Skeleton width="100%" height="60dvh" />
const Lifetimes = lazyScreen(() => import('../features/lifetimes/Lifetimes.tsx'), PLACEHOLDER)
const Spending = lazyScreen(() => import('../features/spending/Spending.tsx'), PLACEHOLDER)
const LastSync = lazyScreen(() => import('../features/sync/LastSync.tsx'))

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'lifetimes', label: 'Lifetimes' },
  { id: 'spending', label: 'Spending' },
] as const

const tabAtom = atom((get) => TABS.find(({ id }) => id === get(addressAtom)['tab']) ?? TABS[0])

export function GaragePage() {
  const { id, label } = useAtomValue(tabAtom)
  const setAddress = useSetAtom(addressAtom)
  const due = useAtomValue(dueTitleAtom(null))
  const isOverview = id === 'overview'
  return (
    <section className={styles.garage} aria-labelledby="garage-heading">
      <title>{`${due}Garage · ${isOverview ? '' : `${label} · `}RWGPS Maintenance Tracker`}</title>
      {/* On phones, the pressed Garage button names the page. */}
      <h2 id="garage-heading" className="title phone-hidden">
        Garage
      </h2>
      <Tabs
        label="Garage"
        tabs={TABS}
        selected={id}
        tools={isOverview && <GarageTotals />}
        onSelect={(tab) =>
          setAddress({ set: { garage: '', tab: tab === 'overview' ? null : tab, kind: null }, by: 'push' })
        }
      >
        {isOverview && <Overview />}
        {id === 'lifetimes' && <Lifetimes />}
        {id === 'spending' && <Spending />}
      </Tabs>
    </section>
  )
}

const TimeZoneOffer = lazyScreen(() => import('../features/settings/TimeZoneOffer.tsx'))
const SettingsOffer = lazyScreen(() => import('../features/settings/SettingsOffer.tsx'))

/** The browser's language, if it may write differently and the owner hasn't chosen. Undefined until that is known. */
const offeredAtom = atom((get): string | null | undefined => {
  if (navigator.language === DEFAULT_LOCALE) return null
  const [chosen, code] = [get(chosenSettingsAtom), get(SettingsOffer.codeAtom)]
  if (chosen === true || chosen === 'unknown' || code === null) return null
  return chosen === null || code === undefined ? undefined : navigator.language
})

/** Whether the cards come first, because they offer new owners to set up a bike. Undefined until that is known. */
const isNewAtom = atom((get) => {
  const [garage, due] = [get(garageAtom), get(dueAtom)]
  if (due.state === 'ready' && due.data.tasks.length > 0) return false
  if (garage.state === 'loading') return undefined
  return garage.state === 'ready' && garage.data.bikes.every((bike) => bike.newest_item === null)
})

const isTopKnownAtom = atom((get) => {
  // Get all before the first answer, so they load in parallel.
  const lists = [get(bikesAtom), get(dueAtom), get(checksAtom)]
  const choices = [get(isNewAtom), get(offeredAtom)]
  const areSettingsKnown = get(areSettingsKnownAtom)
  return areSettingsKnown && lists.every(({ state }) => state !== 'loading') && !choices.includes(undefined)
})

function Overview() {
  // Stored parts wait for the cards, which would push them down by growing as they load.
  const areCardsLoaded = useAtomValue(garageAtom).state !== 'loading'
  const offered = useAtomValue(offeredAtom)
  const offeredZone = useAtomValue(offeredZoneAtom)
  const isNew = useAtomValue(isNewAtom)
  return (
    <AfterService isKnownAtom={isTopKnownAtom}>
      <div className={styles.overview}>
        {offered && <SettingsOffer locale={offered} />}
        {offeredZone !== null && <TimeZoneOffer zone={offeredZone} />}
        <TotalsFailure />
        {isNew && <BikeCards />}
        <div className={styles.top}>
          <Due />
          <BelowFold>
            <div className={styles.overview}>
              <ToCheck />
              {!isNew && <BikeCards />}
            </div>
          </BelowFold>
        </div>
        {areCardsLoaded && (
          <BelowFold>
            <StoredParts />
            <Synced />
          </BelowFold>
        )}
      </div>
    </AfterService>
  )
}

function Synced() {
  const openChanges = useSetAtom(ACTIONS.whatChanged.action)
  return (
    <div className="row small">
      <LastSync />
      <button type="button" className="link" onClick={openChanges}>
        {ACTIONS.whatChanged.label}
      </button>
    </div>
  )
}
