const MAX_WAIT_MS = 2000

/** Runs `work` when the browser is idle. Safari has no idle callbacks. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: MAX_WAIT_MS })
  else setTimeout(work, 200)
}

type Connection = { saveData?: boolean; effectiveType?: string }

/** Returns whether the connection allows loading what may not be needed. Only Chromium tells. */
export function mayPreload(): boolean {
  const { connection } = navigator as { connection?: Connection }
  return connection?.saveData !== true && connection?.effectiveType?.endsWith('2g') !== true
}
