import { atom } from 'jotai'

/** A phone, upright or on its side. Styles repeat these widths, because media queries can't share them. */
const PHONE = '(width < 44rem), (height < 30rem) and (width < 62rem)'

// jsdom has no matchMedia.
const query = typeof matchMedia === 'function' ? matchMedia(PHONE) : null

const base = atom(query?.matches ?? false)
base.onMount = (set) => {
  const update = () => set(query?.matches ?? false)
  update()
  query?.addEventListener('change', update)
  return () => query?.removeEventListener('change', update)
}

/** Whether the window is as small as a phone. */
export const isPhoneAtom = atom((get) => get(base))
