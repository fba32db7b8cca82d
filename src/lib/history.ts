/** The state of an entry of the browser's history. */
type EntryState = {
  /** Whether Back closes what was opened. */
  isOpened?: boolean
  /** Where the page was scrolled to, in pixels. */
  top?: number
}

const stateOf = () => (window.history.state as EntryState | null) ?? {}

/** Whether the page shows what was opened. The browser only tells the state of the entry that it goes to. */
let wasOpened = false

/** The page that is shown: a bike, the Garage or the settings. */
let shown = ''

/** Scrolls to where the page was until it is aborted. */
let restoring: AbortController | null = null

/** Adds an entry. With `isOpened`, Back closes what was opened. */
export function pushEntry(url: string, isOpened: boolean): void {
  keepScroll()
  window.history.pushState({ isOpened }, '', url)
  wasOpened = isOpened
  startAtTop()
}

/** Another page starts at its top. What opens on the same page doesn't move it. */
function startAtTop(): void {
  const page = /\b(?:bike=\d+|garage|settings)/.exec(window.location.hash)?.[0] ?? ''
  if (page !== shown && window.scrollY > 0) window.scrollTo({ top: 0, behavior: 'instant' })
  shown = page
}

/** Goes back to where the entry was opened. Does nothing if it wasn't. */
export function closeEntry(): void {
  const { isOpened, ...state } = stateOf()
  if (!isOpened) return
  // Going forward must not open it again.
  window.history.replaceState(state, '')
  window.history.back()
}

/** Remembers where the page is scrolled to. */
function keepScroll(): void {
  const [state, top] = [stateOf(), Math.round(window.scrollY)]
  if (!restoring && state.top !== top) window.history.replaceState({ ...state, top }, '')
}

/** How long scrolling pauses before its end is remembered, because WebKit limits how often that is possible, in milliseconds. */
const PAUSE_MS = 200

/**
 * Scrolls to where a page was after Back, Forward and a reload. Browsers would scroll before the content has loaded, and undo
 * what a dialog scrolls to as it closes. Returns a stop function.
 */
export function restoreScroll(): () => void {
  window.history.scrollRestoration = 'manual'
  const stopped = new AbortController()
  const { signal } = stopped
  let timer: ReturnType<typeof setTimeout>
  const keep = () => {
    clearTimeout(timer)
    timer = setTimeout(keepScroll, PAUSE_MS)
  }
  const follow = () => {
    endRestoring()
    const { isOpened = false, top } = stateOf()
    startAtTop()
    if (!isOpened && !wasOpened) scrollTo(top)
    wasOpened = isOpened
  }
  window.addEventListener('popstate', follow, { signal })
  window.addEventListener('scroll', keep, { signal, passive: true })
  // It may follow a link.
  document.addEventListener('click', keepScroll, { signal, capture: true })
  startAtTop()
  wasOpened = stateOf().isOpened ?? false
  scrollTo(stateOf().top)
  return () => {
    stopped.abort()
    endRestoring()
    clearTimeout(timer)
  }
}

/** Whether the current entry of the history was scrolled when it was left. */
export const isScrolledBack = (): boolean => (stateOf().top ?? 0) > 0

/** Scrolls the page as its content loads, until the owner does anything. */
function scrollTo(top: number | undefined): void {
  if (top === undefined) return
  restoring = new AbortController()
  const { signal } = restoring
  const observer = new ResizeObserver(() => window.scrollTo({ top, behavior: 'instant' }))
  observer.observe(document.body)
  signal.addEventListener('abort', () => observer.disconnect())
  for (const input of ['keydown', 'pointerdown', 'touchstart', 'wheel'])
    document.addEventListener(input, endRestoring, { signal, capture: true, passive: true })
}

function endRestoring(): void {
  restoring?.abort()
  restoring = null
}
