import { amountIn } from '../../lib/amount.ts'
import { type Day, dayOf, formatDay, parseDay } from '../../lib/days.ts'
import { type Field, parse, parseAmount, type Parsed, TYPES, type Value } from '../maintenance'

/** Reads a cell by the rules of the editors, except that cents are kept and text is not a cost of 0. */
export function readField(field: Field, cell: string): Parsed {
  switch (field) {
    case 'type':
      return parse('type', typeOf(cell), NO_DATES)
    case 'cost':
      return parseAmount(cell)
    case 'dateStarted':
    case 'dateEnded':
      return parse(field, editorDay(cell), NO_DATES)
    default:
      return parse(field, cell, NO_DATES)
  }
}

/** Whether a cell says what is stored: dates by their day, and text whatever a spreadsheet did to its line ends. */
export function saysStored(field: Field, cell: string, stored: Value): boolean {
  if (stored === null || stored === '') return cell.trim() === ''
  switch (field) {
    case 'type':
      return typeOf(cell) === stored
    case 'cost':
      return amountIn(cell) === stored
    case 'dateStarted':
    case 'dateEnded':
      return parseDay(editorDay(cell)) === dayOf(String(stored))
    default:
      return plain(cell) === plain(String(stored))
  }
}

// Start and end are judged beside each other when both are known.
const NO_DATES = { dateStarted: '', dateEnded: null }

/** Text as it is compared: whatever a spreadsheet did to its line ends. */
export function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim()
}

function typeOf(cell: string): string {
  const typed = cell.trim()
  return TYPES.find((type) => type.toLowerCase() === typed.toLowerCase()) ?? typed
}

/** A day as the editors take it. A spreadsheet may have added an hour, which is none of the log's. */
function editorDay(cell: string): string {
  const day = cell.trim().replace(/[T ]\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?$/i, '')
  return /^\d{4}-\d\d-\d\d$/.test(day) ? formatDay(day as Day) : day
}
