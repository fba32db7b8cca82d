import { atom, useAtomValue } from 'jotai'

const base = atom({ text: '', count: 0 })

export const announceAtom = atom(null, (_get, set, text: string) =>
  set(base, ({ count }) => ({ text, count: count + 1 })),
)

/** The app's only live region for announcements. The key makes screen readers repeat an identical message. */
export function Announcements() {
  const { text, count } = useAtomValue(base)
  return (
    // At the top, because below the end of an open dialog it would make the dialog scroll.
    <p aria-live="polite" className="visually-hidden" style={{ insetBlockStart: 0 }}>
      <span key={count}>{text}</span>
    </p>
  )
}
