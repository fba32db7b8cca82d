import type { KeyboardEvent } from 'react'

/** Leaves keys to the input method during composition: Enter accepts a word, and arrow keys choose another. */
export function ignoreComposition(event: KeyboardEvent): void {
  // Safari ends the composition before the keydown event and sets that event's keyCode to 229.
  if (event.nativeEvent.isComposing || event.keyCode === 229) event.stopPropagation()
}

type Step = { rows: number; columns: number }

/** Moves between cells with the arrow keys, unless the editor uses the key itself. */
export function moveFocus(event: KeyboardEvent): void {
  const from = event.target
  if (event.defaultPrevented || !(from instanceof HTMLElement)) return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  // An item's details have their own fields.
  if (from.closest('[data-details]') !== null) return
  const step = stepFor(event.key, from)
  const target = step && neighborOf(from, step)
  if (!target) return
  event.preventDefault()
  target.focus()
  if (target instanceof HTMLInputElement) target.select()
  // WebKit leaves a cell out of sight until something is typed.
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function stepFor(key: string, from: HTMLElement): Step | null {
  const isSelect = from instanceof HTMLSelectElement
  switch (key) {
    case 'ArrowUp':
      return isSelect ? null : { rows: -1, columns: 0 }
    case 'ArrowDown':
      return isSelect ? null : { rows: 1, columns: 0 }
    case 'ArrowLeft':
      return isCaretAt(from, 'start') ? { rows: 0, columns: -1 } : null
    case 'ArrowRight':
      return isCaretAt(from, 'end') ? { rows: 0, columns: 1 } : null
    default:
      return null
  }
}

/** Treats fully selected text as both ends, because entering a cell selects its text. */
function isCaretAt(from: HTMLElement, end: 'start' | 'end'): boolean {
  if (!(from instanceof HTMLInputElement)) return true
  const { selectionStart, selectionEnd, value } = from
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (end === 'start' ? 0 : value.length)
}

/** Returns an editor or, in a cell without one, its link or button. */
function focusableIn(cell: Element | null | undefined): HTMLElement | null {
  const find = (selector: string) => cell?.querySelector<HTMLElement>(selector) ?? null
  return find('input, select') ?? find('button, a')
}

const siblings = (element: Element, selector: string) => [
  ...(element.parentElement?.querySelectorAll<HTMLElement>(`:scope > ${selector}`) ?? []),
]

/** Finds the next cell that can be focused: in the row, or in the same column of another entry. */
function neighborOf(from: HTMLElement, { rows, columns }: Step): HTMLElement | null {
  const cell = from.closest<HTMLElement>('[data-field]')
  const entry = from.closest<HTMLElement>('[data-entry]')
  const log = entry?.closest('[data-log]')
  if (!cell || !entry || !log) return null
  const all =
    columns === 0 ? [...log.querySelectorAll<HTMLElement>('[data-entry]')] : siblings(cell, '[data-field]')
  const inColumn = (one: Element) => (columns === 0 ? cellOf(one, cell.dataset['field']) : one)
  const step = rows + columns
  for (let i = all.indexOf(columns === 0 ? entry : cell) + step; all[i]; i += step) {
    const target = focusableIn(inColumn(all[i]!))
    if (target) return target
  }
  return null
}

/** Finds an entry's cell by its field's name. */
export function cellOf(entry: Element | null, field: string | undefined): Element | null {
  return entry?.querySelector(`:scope > [data-field="${field}"]`) ?? null
}
