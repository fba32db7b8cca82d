// Runs before the rest of the app has loaded: with a stored session, the main screen's code and its first reads load in parallel with it.
import { sendFirstReads } from '../lib/first-reads.ts'

const PAGES = [
  [/[#&]bike=/, () => import('./BikePage.tsx')],
  [/[#&]tab=rides\b/, () => import('./RidesTab.tsx')],
  [/[#&]rides\b/, () => import('./RidesPage.tsx')],
  [/[#&]settings\b/, () => import('../features/settings/Settings.tsx')],
] as const

try {
  const sessions = Object.keys(localStorage).filter((key) => /^sb-.+-auth-token$/.test(key))
  if (sessions.length > 0) {
    void import('./MainScreen.tsx')
    for (const [address, load] of PAGES) if (address.test(location.hash)) void load()
  }
  // Another tracker at this address has a session of its own.
  sendFirstReads(sessions.length === 1 ? localStorage.getItem(sessions[0]!) : null)
} catch {
  // The browser blocks storage.
}

void new Worker(new URL('load-languages.ts', import.meta.url), { type: 'module' })
