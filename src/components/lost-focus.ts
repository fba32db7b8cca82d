import { useEffect, useRef } from 'react'

/** Focuses `target` if the focused element was removed. */
export function focusIfLost(target: HTMLElement | false | null | undefined, options?: FocusOptions): void {
  if (target && document.activeElement === document.body) target.focus(options)
}

/** Focuses the element that `find` returns when a change of `state` removes the focused element. */
export function useLostFocus(
  state: unknown,
  find: () => HTMLElement | false | null | undefined,
  options?: FocusOptions,
): void {
  const last = useRef(state)
  useEffect(() => {
    if (last.current === state) return
    last.current = state
    focusIfLost(find(), options)
  })
}
