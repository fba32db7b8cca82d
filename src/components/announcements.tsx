import { atom, useAtomValue } from 'jotai'

const base = atom({ text: '', count: 0 })

/** Tells a screen reader what was done, when it has time; for the eye the screen itself says it. */
export const announceAtom = atom(null, (_get, set, text: string) =>
  set(base, ({ count }) => ({ text, count: count + 1 })),
)

/** Where announcements are read from; rendered once. The same words said twice are a new element, and so read twice. */
export function Announcements() {
  const { text, count } = useAtomValue(base)
  return (
    <p aria-live="polite" className="visually-hidden">
      <span key={count}>{text}</span>
    </p>
  )
}
