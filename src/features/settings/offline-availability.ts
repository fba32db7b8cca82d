import { canCache } from '../../lib/cache.ts'

interface Abilities {
  isSecure: boolean
  hasServiceWorkers: boolean
  /** Whether the tracker's service worker is installed or being installed. */
  hasOwnWorker: boolean
  canCache: boolean
}

/** Returns why this browser can't work offline and what to do, or null if it can. */
export function whyNotOffline({
  isSecure,
  hasServiceWorkers,
  hasOwnWorker,
  canCache,
}: Abilities): string | null {
  if (!isSecure)
    return 'Without https, this page can’t be installed or work offline. Open the tracker over https.'
  if (!hasServiceWorkers)
    return 'This browser can’t open the tracker offline. Private windows and old browsers can’t store pages.'
  if (!hasOwnWorker || !canCache)
    return 'This browser couldn’t store the tracker for offline use. Free up disk space or allow this page to store data, then reload it.'
  return null
}

export async function readOfflineAbilities(): Promise<Abilities> {
  const { serviceWorker } = navigator as Partial<Navigator>
  const registration = await serviceWorker?.getRegistration().catch(() => undefined)
  return {
    isSecure: window.isSecureContext,
    hasServiceWorkers: serviceWorker !== undefined,
    hasOwnWorker: Boolean(registration?.active ?? registration?.waiting ?? registration?.installing),
    canCache: await canCache(),
  }
}
