import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Opens a dialog modally while it is mounted. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    // A popover's button gets the focus back, now and after the dialog.
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
    element?.showModal()
    // Close before the element is removed, so the browser restores the focus.
    return () => element?.close()
  }, [])
  return dialog
}
