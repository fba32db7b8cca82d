import { atom } from 'jotai'

/** Whether a media query matches. */
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

// Styles repeat these widths, because media queries can't share them.

/** Whether the window is narrow: a phone held upright. */
export const isNarrowAtom = mediaAtom('(width < 44rem)')

/** Whether the window is as small as a phone, upright or on its side. */
export const isPhoneAtom = mediaAtom('(width < 44rem), (height < 30rem) and (width < 62rem)')
