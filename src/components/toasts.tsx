import 'react-toastify/ReactToastify.css'
import './toasts.css'

import { toast, ToastContainer } from 'react-toastify/unstyled'

const SHOWN_MS = 5000
/** Long enough to reach a toast's button with the keyboard. */
const SHOWN_WITH_ACTION_MS = 10_000

export type Action = { label: string; run: () => void }

export function Toasts() {
  return (
    // Toasts stay while one of them has the focus.
    <div role="presentation" onFocus={() => toast.pause()} onBlur={() => toast.play()}>
      <ToastContainer theme="dark" position="bottom-center" autoClose={SHOWN_MS} closeOnClick={false} />
    </div>
  )
}

export function notifyDone(message: string): void {
  toast.success(message)
}

export function notifyFailure(message: string): void {
  toast.error(message)
}

/** Shows a toast with buttons. With `stays`, it doesn't time out. Returns a function that closes the toast. */
export function notifyWithAction(
  message: string,
  actions: Action | readonly Action[],
  { stays = false } = {},
): () => void {
  const id = toast(
    ({ closeToast }) => (
      <div className="toast-action">
        <span>{message}</span>
        {[actions].flat().map((action) => (
          <button
            key={action.label}
            type="button"
            onClick={() => {
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
