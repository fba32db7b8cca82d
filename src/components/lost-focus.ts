import { useEffect, useRef } from 'react'

/** Focuses an element if the one that had the focus has left the page. */
export function focusIfLost(target: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (document.activeElement === document.body) target?.focus(options)
}

/** Moves the focus to what `find` returns when `state` changes and the focused element left the page with it. */
export function useLostFocus(
  state: unknown,
  find: () => HTMLElement | null | undefined,
  options?: FocusOptions,
): void {
  const last = useRef(state)
  useEffect(() => {
    if (last.current === state) return
    last.current = state
    focusIfLost(find(), options)
  })
}
