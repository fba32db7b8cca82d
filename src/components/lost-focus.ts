import { useEffect, useRef } from 'react'

/** Focuses an element if the focused one was removed. */
export function focusIfLost(target: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (document.activeElement === document.body) target?.focus(options)
}

/** When a change of `state` removes the focused element, focuses what `find` returns. */
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
