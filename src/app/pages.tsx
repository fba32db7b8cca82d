import { type Atom, atom } from 'jotai'

import { type FirstReads, lazyScreen } from '../components/lazy-screen.tsx'
import { Skeleton } from '../components/Skeleton.tsx'
import { loadToasts } from '../components/toasts.tsx'
import { bikesAtom, isAllRidesAtom, isGarageAtom, isSettingsAtom } from '../features/bikes/atoms.ts'
import { checksAtom } from '../features/checks/atoms.ts'
import { garageAtom } from '../features/garage/atoms.ts'
import { dueAtom } from '../features/service/atoms.ts'
import { addressAtom } from '../lib/address.ts'
import { readAll } from '../lib/resource.ts'

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

const loadBikePage = () => import('./BikePage.tsx')
const loadRidesTab = () => import('./RidesTab.tsx')

export const BikePage = lazyScreen(loadBikePage, <BikeSkeleton />)
export const RidesTab = lazyScreen(loadRidesTab, PLACEHOLDER)
export const RidesPage = lazyScreen(() => import('./RidesPage.tsx'), PLACEHOLDER)
export const FirstRun = lazyScreen(() => import('./FirstRun.tsx'))
export const Settings = lazyScreen(() => import('../features/settings/Settings.tsx'), PLACEHOLDER)

const NEXT_SCREENS = [
  loadToasts,
  loadBikePage,
  loadRidesTab,
  () => import('../features/lifetimes/Lifetimes.tsx'),
  () => import('../features/spending/Spending.tsx'),
]

/** Loads the code of the next screens, the likeliest first, in no long task. */
export async function loadNextScreens(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- in order
  for (const load of NEXT_SCREENS) await load()
}

export const tabAtom = atom((get) => (get(addressAtom)['tab'] === 'rides' ? 'rides' : 'log'))

type PageScreen = { codeAtom: Atom<unknown>; load: () => Promise<FirstReads> }

/** What the current page's code consists of, besides the main screen. */
const pageScreensAtom = atom((get): PageScreen[] => {
  if (get(isSettingsAtom)) return [Settings]
  if (get(isAllRidesAtom)) return [RidesPage]
  if (get(isGarageAtom)) return []
  return get(tabAtom) === 'rides' ? [BikePage, RidesTab] : [BikePage]
})

/** Loads the current page's code in parallel with the data. */
export const preloadPageAtom = atom((get) => {
  for (const { codeAtom } of get(pageScreensAtom)) get(codeAtom)
})

/** Loads the current page's code and reads its data. Never rejects. */
export const readPageAtom = atom(null, async (get, set) => {
  get(preloadPageAtom)
  const pages = get(pageScreensAtom).map(async ({ load }) => {
    const { readFirstAtom } = await load()
    if (readFirstAtom) await set(readFirstAtom)
  })
  const shared = get(isGarageAtom) ? [bikesAtom, dueAtom, garageAtom, checksAtom] : [bikesAtom, dueAtom]
  await Promise.allSettled([set(readAll(...shared)), ...pages])
})

export const preloadRidesAtom = atom(null, async (_get, set, gearId: number) => {
  try {
    const { preloadAtom } = await loadRidesTab()
    set(preloadAtom, gearId)
  } catch (cause) {
    console.warn('The rides tab could not be loaded', cause)
  }
})
