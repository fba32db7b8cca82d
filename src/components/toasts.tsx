import 'react-toastify/ReactToastify.css'
import './toasts.css'

import { toast, ToastContainer } from 'react-toastify/unstyled'

const SHOWN_MS = 5000

type Action = { label: string; run: () => void }

/** The toast container, rendered once. */
export function Toasts() {
  return <ToastContainer theme="dark" position="bottom-center" autoClose={SHOWN_MS} closeOnClick={false} />
}

export function notifyDone(message: string): void {
  toast.success(message)
}

export function notifyFailure(message: string): void {
  toast.error(message)
}

/** Shows a toast with a button. With `stays`, it stays until the owner closes it. */
export function notifyWithAction(message: string, action: Action, { stays = false } = {}): void {
  toast(
    ({ closeToast }) => (
      <div className="toast-action">
        <span>{message}</span>
        <button
          type="button"
          onClick={() => {
            closeToast()
            action.run()
          }}
        >
          {action.label}
        </button>
      </div>
    ),
    { autoClose: stays ? false : SHOWN_MS },
  )
}
