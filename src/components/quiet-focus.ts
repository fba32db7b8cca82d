let isQuiet = false

/** Focuses a field without opening its calendar. */
export function focusQuietly(field: HTMLElement): void {
  isQuiet = true
  field.focus()
  isQuiet = false
}

/** Whether `focusQuietly` is setting the focus right now. */
export function isFocusQuiet(): boolean {
  return isQuiet
}
