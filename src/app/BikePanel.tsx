import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { lazyScreen } from '../components/lazy-screen.tsx'
import { Tabs } from '../components/Tabs.tsx'
import { type Bike, brandAndModel } from '../features/bikes/api.ts'
import { logAtom } from '../features/entries/log.ts'
import { LogTiles, LogTools, TotalMiles } from '../features/log/LogTools.tsx'
import { MaintenanceLog } from '../features/log/MaintenanceLog.tsx'
import { AfterService } from '../features/service/AfterService.tsx'
import { BikeService } from '../features/service/TaskList.tsx'
import { DueLine } from '../features/service/DueLine.tsx'
import { dueTitleAtom } from '../features/service/atoms.ts'
import { usageAtom } from '../features/entries/usage.ts'
import { addressAtom } from '../lib/address.ts'
import { mayPreload, whenIdle } from '../lib/idle.ts'
import { ACTIONS } from './actions.ts'
import styles from './BikePanel.module.css'
import { Menu, MenuEntry } from './Menu.tsx'
import { preloadRidesAtom, RidesTab, tabAtom } from './pages.tsx'

const SoldLine = lazyScreen(() => import('../features/log/sale/SoldLine.tsx'))

const LABELS = { log: 'Maintenance Log', rides: 'Rides' } as const
const TABS = (['log', 'rides'] as const).map((id) => ({ id, label: LABELS[id] }))

export function BikePanel({ bike }: { bike: Bike }) {
  const setAddress = useSetAtom(addressAtom)
  const tab = useAtomValue(tabAtom)
  const due = useAtomValue(dueTitleAtom(bike.gear_id))

  return (
    <section className={styles.bike} aria-labelledby="bike-name">
      <title>{`${due}${bike.name} · ${LABELS[tab]} · RWGPS Maintenance Tracker`}</title>
      <div className={styles.heading}>
        <h2 id="bike-name" className="title">
          {bike.name}
        </h2>
        <p className={styles.model}>{brandAndModel(bike)}</p>
        <BikeMenu />
        <div className={styles.tiles}>
          <TotalMiles gearId={bike.gear_id} />
          {tab === 'log' && <LogTiles gearId={bike.gear_id} />}
        </div>
      </div>
      <Tabs
        label={bike.name}
        tabs={TABS}
        selected={tab}
        tools={tab === 'log' && <LogTools />}
        onSelect={(id) => setAddress({ set: { tab: id === 'rides' ? id : null, use: null }, by: 'push' })}
      >
        {bike.is_retired && <SoldLine gearId={bike.gear_id} />}
        {tab === 'log' && (
          <>
            <AfterService>
              <div className={styles.service}>
                <DueLine gearId={bike.gear_id} />
                <BikeService gearId={bike.gear_id} name={bike.name} />
              </div>
              <MaintenanceLog gearId={bike.gear_id} />
            </AfterService>
            <PreloadRides gearId={bike.gear_id} />
          </>
        )}
        {tab === 'rides' && <RidesTab gearId={bike.gear_id} />}
      </Tabs>
    </section>
  )
}

function BikeMenu() {
  return (
    <Menu
      className={styles.menu}
      label={
        <>
          <span className="visually-hidden">Bike: </span>More
        </>
      }
    >
      {(close) => (
        <ul>
          <MenuEntry {...ACTIONS.rotate} close={close} />
          <MenuEntry {...ACTIONS.setUpBike} close={close} />
          <MenuEntry {...ACTIONS.partsList} close={close} />
          <MenuEntry {...ACTIONS.passport} close={close} />
          <MenuEntry {...ACTIONS.bikeDetails} close={close} />
          <MenuEntry {...ACTIONS.sellBike} close={close} />
        </ul>
      )}
    </Menu>
  )
}

function PreloadRides({ gearId }: { gearId: number }) {
  const [log, usage] = [useAtomValue(logAtom(gearId)), useAtomValue(usageAtom(gearId))]
  const preload = useSetAtom(preloadRidesAtom)
  const isLogShown = log.state !== 'loading' && usage.state !== 'loading'

  useEffect(() => {
    if (!isLogShown || !mayPreload()) return undefined
    let isCurrent = true
    whenIdle(() => {
      if (isCurrent) void preload(gearId)
    })
    return () => {
      isCurrent = false
    }
  }, [isLogShown, gearId, preload])
  return null
}
