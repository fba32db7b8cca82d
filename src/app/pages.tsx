import { atom } from 'jotai'

import { lazyScreen } from '../components/lazy-screen.tsx'
import { Skeleton } from '../components/Skeleton.tsx'
import { isAllRidesAtom, isGarageAtom, isSettingsAtom } from '../features/bikes/atoms.ts'
import { addressAtom } from '../lib/address.ts'

/** Stands for a bike's page while its data or code loads. */
export function BikeSkeleton() {
  return (
    <div className="stack">
      <Skeleton width="18rem" height="2rem" />
      <Skeleton width="14rem" height="2.5rem" />
      <Skeleton width="100%" height="100dvh" />
    </div>
  )
}

const PLACEHOLDER = <Skeleton width="100%" height="60dvh" />

const loadRidesTab = () => import('./RidesTab.tsx')

export const BikePage = lazyScreen(() => import('./BikePage.tsx'), <BikeSkeleton />)
export const RidesTab = lazyScreen(loadRidesTab, PLACEHOLDER)
export const RidesPage = lazyScreen(() => import('./RidesPage.tsx'), PLACEHOLDER)
export const FirstRun = lazyScreen(() => import('./FirstRun.tsx'))
export const Settings = lazyScreen(() => import('../features/settings/Settings.tsx'), PLACEHOLDER)

export const tabAtom = atom((get) => (get(addressAtom)['tab'] === 'rides' ? 'rides' : 'log'))

/** Loads the current page's code in parallel with the data. */
export const preloadPageAtom = atom((get) => {
  if (get(isSettingsAtom)) get(Settings.codeAtom)
  else if (get(isAllRidesAtom)) get(RidesPage.codeAtom)
  else if (!get(isGarageAtom)) {
    get(BikePage.codeAtom)
    if (get(tabAtom) === 'rides') get(RidesTab.codeAtom)
  }
})

export const preloadRidesAtom = atom(null, async (_get, set, gearId: number) => {
  try {
    const { loadRidesAtom } = await loadRidesTab()
    set(loadRidesAtom, gearId)
  } catch (cause) {
    console.warn('The rides tab could not be loaded', cause)
  }
})
