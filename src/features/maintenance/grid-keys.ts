import type { KeyboardEvent } from 'react'

/** While a word is composed, keys belong to the input method: Enter accepts the word, arrow keys choose another. */
export function ignoreComposition(event: KeyboardEvent): void {
  // Safari ends the composition before the keydown event, and marks that event with 229.
  if (event.nativeEvent.isComposing || event.keyCode === 229) event.stopPropagation()
}

type Step = { rows: number; columns: number }

/**
 * Arrow keys go from cell to cell where the editor itself has no use for them: up and down from text, left and right
 * from either end of a text and from a list.
 */
export function moveFocus(event: KeyboardEvent): void {
  const from = event.target
  if (event.defaultPrevented || !(from instanceof HTMLElement)) return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const step = stepFor(event.key, from)
  const target = step && neighbourOf(from, step)
  if (!target) return
  event.preventDefault()
  target.focus()
  if (target instanceof HTMLInputElement) target.select()
}

function stepFor(key: string, from: HTMLElement): Step | null {
  const isList = from instanceof HTMLSelectElement
  switch (key) {
    case 'ArrowUp':
      return isList ? null : { rows: -1, columns: 0 }
    case 'ArrowDown':
      return isList ? null : { rows: 1, columns: 0 }
    case 'ArrowLeft':
      return isCaretAt(from, 'start') ? { rows: 0, columns: -1 } : null
    case 'ArrowRight':
      return isCaretAt(from, 'end') ? { rows: 0, columns: 1 } : null
    default:
      return null
  }
}

/** A text that is selected whole counts as being at both ends: that is how a cell is entered. */
function isCaretAt(from: HTMLElement, end: 'start' | 'end'): boolean {
  if (!(from instanceof HTMLInputElement)) return true
  const { selectionStart, selectionEnd, value } = from
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (end === 'start' ? 0 : value.length)
}

/** The nearest cell in that direction that has something to focus. */
function neighbourOf(from: HTMLElement, { rows, columns }: Step): HTMLElement | null {
  const cell = from.closest('td')
  const row = cell?.closest('tr')
  const body = row?.closest('tbody')
  if (!cell || !row || !body) return null
  let [r, c] = [row.sectionRowIndex + rows, cell.cellIndex + columns]
  for (let next = body.rows[r]?.cells[c]; next; next = body.rows[r]?.cells[c]) {
    const target = next.querySelector<HTMLElement>('input, select, button, a')
    if (target) return target
    r += rows
    c += columns
  }
  return null
}
