import 'react-toastify/ReactToastify.css'
import './toasts.css'

import { toast, ToastContainer } from 'react-toastify/unstyled'

const SHOWN_MS = 5000

/** Where toasts appear; rendered once. */
export function Toasts() {
  return <ToastContainer theme="dark" position="bottom-center" autoClose={SHOWN_MS} closeOnClick={false} />
}

/** Tells what was not done, and why. */
export function notifyFailure(sentence: string): void {
  toast.error(sentence)
}
