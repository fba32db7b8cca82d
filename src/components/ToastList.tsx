import 'react-toastify/ReactToastify.css'
import './toasts.css'

import type { FocusEvent, MouseEvent } from 'react'
import { toast, ToastContainer } from 'react-toastify/unstyled'

import type { Action } from './toasts.tsx'

const SHOWN_MS = 5000
/** Long enough to reach a toast's button with the keyboard. */
const SHOWN_WITH_ACTION_MS = 10_000

/** The element that had the focus before a toast got it. */
let focusedBefore: HTMLElement | null = null

function enter({ currentTarget, relatedTarget }: FocusEvent) {
  // Toasts stay while one of them has the focus.
  toast.pause()
  if (!currentTarget.contains(relatedTarget)) focusedBefore = relatedTarget as HTMLElement | null
}

export default function ToastList() {
  return (
    <div role="presentation" onFocus={enter} onBlur={() => toast.play()}>
      <ToastContainer theme="dark" position="bottom-center" autoClose={SHOWN_MS} closeOnClick={false} />
    </div>
  )
}

export function showDone(message: string): void {
  toast.success(message)
}

export function showFailure(message: string): void {
  toast.error(message)
}

/** Moves the focus to where it was before the toast, or else to the page, because the toast disappears. */
function leave({ currentTarget: button }: MouseEvent) {
  if (document.activeElement !== button) return
  const page = button.closest('dialog')?.querySelector('h2') ?? document.querySelector('main')
  const target = focusedBefore?.isConnected ? focusedBefore : page
  target?.focus({ preventScroll: true })
}

/** Shows a toast with buttons. With `stays`, it doesn't time out. Returns a function that closes the toast. */
export function showWithAction(message: string, actions: readonly Action[], stays: boolean): () => void {
  const id = toast(
    ({ closeToast }) => (
      <div className="toast-action">
        <span>{message}</span>
        {actions.map((action) => (
          <button
            key={action.label}
            type="button"
            onClick={(event) => {
              leave(event)
              closeToast()
              action.run()
            }}
          >
            {action.label}
          </button>
        ))}
      </div>
    ),
    { autoClose: stays ? false : SHOWN_WITH_ACTION_MS },
  )
  return () => toast.dismiss(id)
}
