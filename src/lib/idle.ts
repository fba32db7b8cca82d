const LONGEST_WAIT_MS = 2000

/** Runs `work` when the browser has nothing better to do. Safari has no idle callbacks. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: LONGEST_WAIT_MS })
  else setTimeout(work, 200)
}
