// Runs before the rest of the app has loaded: with a stored session, the main screen's code and its first reads load in parallel with it.
import { sendFirstReads } from '../lib/first-reads.ts'

try {
  const sessions = Object.keys(localStorage).filter((key) => /^sb-.+-auth-token$/.test(key))
  if (sessions.length > 0) {
    void import('./MainScreen.tsx')
    if (/[#&]bike=/.test(location.hash)) void import('./BikePage.tsx')
  }
  // Another tracker at this address has a session of its own.
  sendFirstReads(sessions.length === 1 ? localStorage.getItem(sessions[0]!) : null)
} catch {
  // The browser blocks storage.
}

void new Worker(new URL('load-languages.ts', import.meta.url), { type: 'module' })
