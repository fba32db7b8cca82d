import { atom } from 'jotai'
import { flushSync } from 'react-dom'

function mediaAtom(media: string) {
  // jsdom has no matchMedia.
  const query = typeof matchMedia === 'function' ? matchMedia(media) : null
  const base = atom(query?.matches ?? false)
  base.onMount = (set) => {
    const update = () => set(query?.matches ?? false)
    update()
    query?.addEventListener('change', update)
    return () => query?.removeEventListener('change', update)
  }
  return atom((get) => get(base))
}

/** Media queries from screen.css, by name. */
export const SCREENS = {
  tablet: '(width < 64rem)',
  narrow: '(width < 44rem)',
  sideways: '(height < 30rem) and (44rem <= width < 64rem)',
  'two-line': '(width < 80rem)',
}

/** Whether the page is printed. The browser prints what is rendered at the end of the event. */
export const isPrintingAtom = atom(false)
isPrintingAtom.onMount = (set) => {
  const stopped = new AbortController()
  for (const [event, isPrinting] of [
    ['beforeprint', true],
    ['afterprint', false],
  ] as const)
    window.addEventListener(event, () => flushSync(() => set(isPrinting)), { signal: stopped.signal })
  return () => stopped.abort()
}

/** Paper is narrow, but Firefox doesn't tell scripts its width. */
function orPaper(media: string) {
  const windowAtom = mediaAtom(media)
  return atom((get) => get(isPrintingAtom) || get(windowAtom))
}

/** Whether the window, or the paper, is at most as wide as a tablet held upright. */
export const isTabletAtom = orPaper(SCREENS.tablet)

/** Whether the window is as narrow as a phone held upright. */
export const isNarrowAtom = mediaAtom(SCREENS.narrow)

/** Whether the window is as small as a phone, upright or on its side. */
export const isPhoneAtom = mediaAtom(`${SCREENS.narrow}, ${SCREENS.sideways}`)

/** Whether something other than a finger points, so there is likely a keyboard, too. */
export const hasKeyboardAtom = mediaAtom('(any-hover: hover)')

export const isTwoLineAtom = orPaper(SCREENS['two-line'])

/** Returns a length in pixels, rounded as browsers round the height of rows. */
export const pixelsOf = (rems: number): number =>
  Math.round(rems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
