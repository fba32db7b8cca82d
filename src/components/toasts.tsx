import 'react-toastify/ReactToastify.css'
import './toasts.css'

import { toast, ToastContainer } from 'react-toastify/unstyled'

const SHOWN_MS = 5000

type Action = { label: string; run: () => void }

/** Where toasts appear; rendered once. */
export function Toasts() {
  return <ToastContainer theme="dark" position="bottom-center" autoClose={SHOWN_MS} closeOnClick={false} />
}

/** Tells what was done, where the screen does not show it. */
export function notifyDone(sentence: string): void {
  toast.success(sentence)
}

/** Tells what was not done, and why. */
export function notifyFailure(sentence: string): void {
  toast.error(sentence)
}

/** Tells what was done and offers one thing to do about it; with `stays`, until the owner answers. */
export function notifyWithAction(sentence: string, action: Action, { stays = false } = {}): void {
  toast(
    ({ closeToast }) => (
      <div className="toast-action">
        <span>{sentence}</span>
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
