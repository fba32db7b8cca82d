import { useSetAtom } from 'jotai'
import type { ReactNode } from 'react'

import { PopoverButton } from '../components/PopoverButton.tsx'
import { useReadOnly } from '../components/read-only.ts'
import type { Action } from './actions.ts'
import styles from './Menu.module.css'

type MenuProps = {
  label: ReactNode
  className?: string | undefined
  children: (close: () => void) => ReactNode
}

export function Menu({ label, className = '', children }: MenuProps) {
  return (
    <div className={`${styles.menu} ${className}`}>
      <PopoverButton label={label} isQuiet>
        {children}
      </PopoverButton>
    </div>
  )
}

type EntryProps = Action & { close: () => void; shortcut?: { shown: string; aria: string } | undefined }

/** Closes the menu before running the action, so a dialog returns focus to the menu button. */
export function MenuEntry({ label, action, changesData = false, close, shortcut }: EntryProps) {
  const run = useSetAtom(action)
  const readOnly = useReadOnly()
  return (
    <li>
      <button
        type="button"
        {...(changesData ? readOnly : undefined)}
        aria-keyshortcuts={shortcut?.aria}
        onClick={() => {
          close()
          run()
        }}
      >
        {label}
        {shortcut && <kbd aria-hidden>{shortcut.shown}</kbd>}
      </button>
    </li>
  )
}
