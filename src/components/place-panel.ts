/** Keeps an open panel at its control, whatever changes. Returns a function that stops. */
export function placePanel(panel: HTMLElement, control: HTMLElement): () => void {
  const move = () => place(panel, control)
  move()
  // The content may change while it is open.
  const observer = new ResizeObserver(move)
  observer.observe(panel)
  const closed = new AbortController()
  window.addEventListener('resize', move, closed)
  window.addEventListener('scroll', move, { capture: true, signal: closed.signal })
  return () => {
    observer.disconnect()
    closed.abort()
  }
}

/** Minimum distance from the window's edges, in pixels. */
const EDGE = 12
/** Distance from the control, in pixels. */
const GAP = 4

/** Places a panel below its control, or above it if there is no room below, with their ends aligned if possible. */
function place(panel: HTMLElement, control: HTMLElement) {
  const { left, right, top, bottom } = control.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = panel
  const { clientWidth, clientHeight } = document.documentElement
  const lastX = clientWidth - offsetWidth - EDGE
  const lastY = clientHeight - offsetHeight - EDGE
  const x =
    right - offsetWidth < EDGE ? Math.max(EDGE, Math.min(left, lastX)) : Math.min(right - offsetWidth, lastX)
  const above = top - GAP - offsetHeight
  const y = bottom + GAP <= lastY || above < EDGE ? Math.max(EDGE, Math.min(bottom + GAP, lastY)) : above
  panel.style.translate = `${x + window.scrollX}px ${y + window.scrollY}px`
}
