import { useSetAtom } from 'jotai'
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'

import { HeldFormats, useHeldFormats } from '../lib/formats.ts'
import { openDialogsAtom } from './above-dialogs.tsx'
import styles from './Dialog.module.css'

type Props = {
  title: string
  lead?: ReactNode
  children: ReactNode
  closeLabel?: string
  /** Before the button that closes the dialog. */
  tools?: ReactNode
  /** After the button that closes the dialog. */
  actions?: ReactNode
  /** Fills the screen of a phone. */
  isPage?: boolean | undefined
  onClose: () => void
}

/** A modal dialog. Its title has the initial focus; Escape closes it. */
export function Dialog(props: Props) {
  const { title, lead, children, closeLabel = 'Close', tools, actions, isPage, onClose } = props
  const modal = useModal(onClose)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const formats = useHeldFormats()

  useLayoutEffect(() => heading.current?.focus(), [])

  return (
    <dialog {...modal} aria-labelledby={titleId} className={`${styles.dialog} ${isPage ? styles.page : ''}`}>
      <div className={styles.head}>
        <h2 ref={heading} id={titleId} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        {lead !== undefined && <div className="soft">{lead}</div>}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be focusable */}
      <div className={styles.body} role="region" aria-label="Content" tabIndex={0}>
        <HeldFormats value={formats}>{children}</HeldFormats>
      </div>
      <div className={styles.actions}>
        {tools}
        <button type="button" onClick={onClose}>
          {closeLabel}
        </button>
        {actions}
      </div>
    </dialog>
  )
}

type ConfirmProps = {
  question: string
  detail?: string
  confirmLabel: string
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation. Open while mounted; Cancel has the initial focus. */
export function ConfirmDialog({ question, detail, confirmLabel, onConfirm, onCancel }: ConfirmProps) {
  const modal = useModal(onCancel)
  const [questionId, detailId] = [useId(), useId()]

  return (
    <dialog
      {...modal}
      role="alertdialog"
      aria-labelledby={questionId}
      aria-describedby={detail === undefined ? undefined : detailId}
      className={styles.confirmation}
    >
      <h2 id={questionId} className={styles.title}>
        {question}
      </h2>
      {detail !== undefined && (
        <p id={detailId} className={styles.detail}>
          {detail}
        </p>
      )}
      <div className={styles.buttons}>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className={styles.confirm} onClick={onConfirm}>
          {confirmLabel}
        </button>
      </div>
    </dialog>
  )
}

/** Opens a dialog modally while it is mounted. Returns its props. Escape calls `onCancel`. */
export function useModal(onCancel: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const setOpen = useSetAtom(openDialogsAtom)
  useLayoutEffect(() => {
    const element = dialog.current!
    // Closing the popover focuses its button, so focus returns there when the dialog closes.
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
    element.showModal()
    setOpen((open) => [...open, element])
    return () => {
      setOpen((open) => open.filter((one) => one !== element))
      // Close before the element is removed, so the browser restores the focus.
      element.close()
    }
  }, [setOpen])
  return {
    ref: dialog,
    onCancel(event: SyntheticEvent) {
      // Canceling a file picker inside the dialog also fires `cancel`, which bubbles.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      onCancel()
    },
  }
}
