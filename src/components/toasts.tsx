import 'react-toastify/ReactToastify.css'
import './toasts.css'

import { toast, ToastContainer } from 'react-toastify/unstyled'

const SHOWN_MS = 5000

export type Action = { label: string; run: () => void }

export function Toasts() {
  return <ToastContainer theme="dark" position="bottom-center" autoClose={SHOWN_MS} closeOnClick={false} />
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
    { autoClose: stays ? false : SHOWN_MS },
  )
  return () => toast.dismiss(id)
}
