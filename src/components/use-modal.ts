import { type RefObject, useLayoutEffect, useRef } from 'react'

/** For a dialog that is modal as long as it is in the document. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing gives the focus back to where it came from; it has to happen before the element is taken away.
    return () => element?.close()
  }, [])
  return dialog
}
