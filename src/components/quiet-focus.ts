let isQuiet = false

/** Gives the focus back to a field that nobody came to fill in: it opens nothing for that. */
export function focusQuietly(field: HTMLElement): void {
  isQuiet = true
  field.focus()
  isQuiet = false
}

/** Whether the focus that is being given now is of that kind. */
export function isFocusQuiet(): boolean {
  return isQuiet
}
