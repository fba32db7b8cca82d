import { useAtomValue, useSetAtom } from 'jotai'
import { type MouseEvent, useEffect, useLayoutEffect, useRef } from 'react'

import { guardFocus } from '../components/focus-guard.ts'
import { pageHeading } from '../components/page-heading.ts'
import { Failure } from '../components/ResourceView.tsx'
import { AboveDialogs } from '../components/above-dialogs.tsx'
import { Announcements } from '../components/announcements.tsx'
import { Toasts } from '../components/toasts.tsx'
import {
  bikesAtom,
  isAllRidesAtom,
  isGarageAtom,
  isSettingsAtom,
  selectedBikeAtom,
} from '../features/bikes/atoms.ts'
import { ExportStatus } from '../features/export/Export.tsx'
import { ImportFile } from '../features/import/ImportFile.tsx'
import { ownerIdAtom } from '../features/session/atoms.ts'
import { SampleGuide } from '../features/session/SampleGuide.tsx'
import { readTimeZoneAtom } from '../features/settings/time-zone.ts'
import { SyncBanner } from '../features/sync/SyncBanner.tsx'
import { restoreScroll } from '../lib/history.ts'
import { followAtom } from '../lib/touch.ts'
import { Dialogs } from './dialogs.tsx'
import { GaragePage } from './GaragePage.tsx'
import { Header } from './Header.tsx'
import styles from './MainScreen.module.css'
import { Outbox } from '../features/outbox/Outbox.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import './styles/print.css'
import { BikePage, BikeSkeleton, FirstRun, preloadPageAtom, RidesPage, Settings } from './pages.tsx'
import { VersionBanner } from './VersionBanner.tsx'

export { loadNextScreens, readPageAtom } from './pages.tsx'

export default function MainScreen() {
  const ownerId = useAtomValue(ownerIdAtom)
  const main = useRef<HTMLElement>(null)
  const readTimeZone = useSetAtom(readTimeZoneAtom)
  useEffect(() => void readTimeZone(), [readTimeZone])
  useEffect(guardFocus, [])
  // Before the first paint, which already has the content.
  useLayoutEffect(restoreScroll, [])
  const follow = useSetAtom(followAtom)
  useEffect(() => follow(), [follow])
  const skip = (event: MouseEvent) => {
    // Following the link would replace the fragment, which holds the bike and tab.
    event.preventDefault()
    main.current?.focus()
  }

  return (
    <>
      <a href="#content" className={styles.skip} onClick={skip}>
        Skip to content
      </a>
      <Header />
      <OfflineBanner />
      <Outbox key={ownerId} />
      <VersionBanner />
      <SyncBanner />
      <main ref={main} id="content" tabIndex={-1} className="page">
        <SampleGuide />
        <Page />
      </main>
      <ImportFile />
      <ExportStatus />
      <Dialogs />
      <AboveDialogs>
        <Toasts />
        <Announcements />
      </AboveDialogs>
    </>
  )
}

function Page() {
  const bikes = useAtomValue(bikesAtom)
  const reload = useSetAtom(bikesAtom.reloadAtom)
  const selected = useAtomValue(selectedBikeAtom)
  useAtomValue(preloadPageAtom)
  const isGarage = useAtomValue(isGarageAtom)
  const isAllRides = useAtomValue(isAllRidesAtom)
  const isSettings = useAtomValue(isSettingsAtom)

  const isLoaded = bikes.state === 'ready'
  useEffect(() => {
    // Signing in focuses the page before it has a heading.
    if (isLoaded && document.activeElement?.localName === 'main') pageHeading('main h2')?.focus()
  }, [isLoaded])

  if (isSettings) return <Settings />
  if (bikes.state === 'failed') {
    return <Failure what="The bikes could not be loaded." error={bikes.error} retry={reload} />
  }
  const list = bikes.state === 'ready' ? bikes.data : undefined
  return (
    <>
      {!list && !isGarage && <BikeSkeleton />}
      {selected && <BikePage bike={selected} />}
      {list?.length === 0 ? <FirstRun /> : isAllRides ? list && <RidesPage /> : isGarage && <GaragePage />}
    </>
  )
}
