import { useAtomValue, useSetAtom } from 'jotai'
import { type MouseEvent, useRef } from 'react'

import { Announcements } from '../components/announcements.tsx'
import { Notice } from '../components/Notice.tsx'
import { Toasts } from '../components/toasts.tsx'
import { bikesAtom, BikesRow, selectedBikeAtom } from '../features/bikes'
import { SampleGuide } from '../features/sample-guide'
import { FollowUpdates } from '../features/update-rides'
import { addressAtom } from '../lib/address.ts'
import { messageFor } from '../lib/errors.ts'
import { BikePanel, BikeSkeleton } from './BikePanel.tsx'
import { FirstRun } from './FirstRun.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import styles from './MainScreen.module.css'
import { OutOfDate } from './OutOfDate.tsx'
import { tabAtom } from './tab.ts'

/** Everything after signing in. */
export default function MainScreen() {
  const main = useRef<HTMLElement>(null)
  const skip = (event: MouseEvent) => {
    // The address's fragment names the bike and the tab.
    event.preventDefault()
    main.current?.focus()
  }

  return (
    <>
      <a href="#content" className={styles.skip} onClick={skip}>
        Skip to content
      </a>
      <Header />
      <OutOfDate />
      <main ref={main} id="content" tabIndex={-1} className={`page ${styles.main}`}>
        <Bikes />
      </main>
      <Footer />
      <FollowUpdates />
      <Toasts />
      <Announcements />
    </>
  )
}

function Bikes() {
  const bikes = useAtomValue(bikesAtom)
  const reread = useSetAtom(bikesAtom)
  const selected = useAtomValue(selectedBikeAtom)
  // Looked at before there is a bike, so that what the tab shows is loaded beside the bikes and not after them.
  useAtomValue(tabAtom)
  const isNamed = 'bike' in useAtomValue(addressAtom)

  if (bikes.state === 'failed') {
    return (
      <Notice action={{ label: 'Try again', run: () => void reread() }}>
        {`The bikes could not be read. ${messageFor(bikes.error)}`}
      </Notice>
    )
  }
  const list = bikes.state === 'ready' ? bikes.data : undefined
  return (
    <>
      <BikesRow bikes={list} />
      <SampleGuide />
      {!list && isNamed && <BikeSkeleton />}
      {selected && <BikePanel key={selected.gear_id} bike={selected} />}
      {list?.length === 0 && <FirstRun />}
      {list && list.length > 0 && !selected && <Notice>Choose a bike to see its log and its rides.</Notice>}
    </>
  )
}
