import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { useModal } from '../components/Dialog.tsx'
import { lazyScreen } from '../components/lazy-screen.tsx'
import styles from './CommandButton.module.css'
import { COMMAND_KEYS, isCommandKey, isCommandMenuOpenAtom } from './shortcut-key.ts'

const CommandMenu = lazyScreen(() => import('./CommandMenu.tsx'))

export function CommandButton() {
  const [isOpen, setOpen] = useAtom(isCommandMenuOpenAtom)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isCommandKey(event)) return
      // Otherwise, the browser moves the focus to its address bar.
      event.preventDefault()
      setOpen((isOpen) => !isOpen && document.querySelector('dialog[open]') === null)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [setOpen])

  return (
    <>
      <button
        type="button"
        className={`quiet ${styles.button}`}
        aria-keyshortcuts={COMMAND_KEYS.aria}
        onClick={() => setOpen(true)}
      >
        <span className="visually-hidden">Command menu </span>
        <kbd>{COMMAND_KEYS.shown}</kbd>
        <SearchIcon />
      </button>
      {isOpen && <CommandDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Replaces the keys on a phone. */
function SearchIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden
    >
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="m12.5 12.5 5 5" />
    </svg>
  )
}

/** Opens with a field before the menu has loaded, so early keystrokes are kept and don't end up in a log field. */
function CommandDialog({ onClose }: { onClose: () => void }) {
  const modal = useModal(onClose)
  const [search, setSearch] = useState('')
  const isLoading = useAtomValue(CommandMenu.codeAtom) === undefined
  const field = {
    className: styles.field!,
    placeholder: 'Search bikes, log entries and actions',
    value: search,
    ref: focusField,
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it by keyboard
    <dialog
      {...modal}
      aria-label="Command menu"
      className={styles.dialog}
      // Only a click outside hits the dialog itself.
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {isLoading && (
        <input
          {...field}
          aria-label={field.placeholder}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <CommandMenu field={field} onSearch={setSearch} onClose={onClose} />
    </dialog>
  )
}

/** The menu's field goes on after what was typed into the first one. */
function focusField(input: HTMLInputElement | null) {
  if (!input) return
  input.focus()
  input.setSelectionRange(input.value.length, input.value.length)
  // The dialog may not be open yet. Then it focuses this field as it opens.
  input.autofocus = true
}
