const MAX_WAIT_MS = 2000

/** Runs `work` when the browser is idle. Safari has no idle callbacks. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: MAX_WAIT_MS })
  else setTimeout(work, 200)
}
