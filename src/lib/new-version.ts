import { atom } from 'jotai'

import { onWake } from './connection.ts'

const CHECK_MS = 3_600_000

const outdatedBase = atom(false)

/** Whether the server has another version than this tab. */
export const isOutdatedAtom = atom((get) => get(outdatedBase))

// Its name has a hash of all code, because it imports the other files by their hashed names.
const ENTRY = /<script[^>]* src="(\/assets\/index-[^"]+)"/

/** Compares the server's page with this one. Never throws. */
export const checkVersionAtom = atom(null, async (get, set) => {
  const own = document.querySelector('script[src^="/assets/index-"]')?.getAttribute('src')
  if (!own || get(outdatedBase)) return
  const page = await fetch('/', { cache: 'no-store' }).then(
    (response) => (response.ok ? response.text() : ''),
    () => '',
  )
  const served = ENTRY.exec(page)?.[1]
  if (served !== undefined && served !== own) set(outdatedBase, true)
})

/** Checks the version every hour, when the window gets the focus and after an outage. Returns a stop function. */
export const watchVersionAtom = atom(null, (_get, set) => {
  const check = () => void set(checkVersionAtom)
  const timer = setInterval(check, CHECK_MS)
  const stop = onWake(check)
  return () => {
    clearInterval(timer)
    stop()
  }
})

/** Reloads the page, if it can be reached or is cached, because the browser's error page would replace it otherwise. */
export function reload(): void {
  const { serviceWorker } = navigator as Partial<Navigator>
  const isReachable = serviceWorker?.controller ? Promise.resolve() : fetch('/', { cache: 'no-store' })
  isReachable.then(
    () => window.location.reload(),
    () => console.warn('The page cannot be reached'),
  )
}
