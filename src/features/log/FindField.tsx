import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { usePause } from '../../components/use-pause.ts'
import { isTwoLineAtom } from '../../lib/screen.ts'
import type { Item } from '../entries/fields.ts'
import { commitFindAtom, findAtom, findDraftAtom } from '../entries/find.ts'
import { foundLineAtom, showAtom } from '../entries/shown-items.ts'
import styles from './LogTools.module.css'

const NAME = 'Find entries'

/** Filters the log as the owner types. Where the tools fill their line, the field is behind an icon, which also clears it. */
export function FindField() {
  const isBehindIcon = useAtomValue(isTwoLineAtom)
  const [find, setFind] = useAtom(findAtom)
  const commit = useSetAtom(commitFindAtom)
  const [isOpened, setOpened] = useState(false)
  if (!isBehindIcon) return <Field />
  const isOpen = isOpened || find !== ''
  const toggle = () => {
    setOpened(!isOpen)
    if (!isOpen) return
    setFind('')
    commit()
  }
  return (
    <>
      <button
        type="button"
        className={`quiet ${styles.find}`}
        aria-label={NAME}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <FindIcon />
      </button>
      {isOpen && <Field isFocused={isOpened} />}
    </>
  )
}

function Field({ isFocused = false }: { isFocused?: boolean }) {
  const [find, setFind] = useAtom(findAtom)
  const [draft, setDraft] = useAtom(findDraftAtom)
  const commit = useSetAtom(commitFindAtom)
  usePause(draft, commit, setDraft)
  return (
    <input
      type="search"
      className={styles.field}
      aria-label={NAME}
      placeholder={NAME}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the owner pressed the icon to type
      autoFocus={isFocused}
      spellCheck={false}
      autoComplete="off"
      value={find}
      onChange={(event) => setFind(event.target.value)}
      onBlur={commit}
    />
  )
}

function FindIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden
    >
      <circle cx="12" cy="8.5" r="4.5" />
      <path d="m15.5 12 3 3M2 4.5h4M2 9h3.5M2 13.5h6M2 18h12" />
    </svg>
  )
}

/** Says what was found, or that nothing is, and offers what the other filter hides. */
export function FoundLine({ items }: { items: readonly Item[] }) {
  const line = useAtomValue(foundLineAtom)(items)
  const [show, setShow] = useAtom(showAtom)
  if (!line) return null
  const others = show === 'ended' ? 'in use' : 'ended'
  return (
    <div className="row small">
      <p role="status" className="soft">
        {line.says}
      </p>
      {line.hidden > 0 && (
        <button type="button" className="link" onClick={() => setShow('all')}>
          {`Show ${line.hidden} ${others}`}
        </button>
      )}
    </div>
  )
}
