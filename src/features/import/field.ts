import { type Day, dayOf, formatDay, parseDay } from '../../lib/days.ts'
import { type Field, parse, type Parsed, TYPES, type Value } from '../maintenance'

const MOST = 9_999_999

/** What a cell stands for in a record, by the rules of the editors; but cents are kept, and what is no number is refused. */
export function readField(field: Field, cell: string): Parsed {
  switch (field) {
    case 'type':
      return parse('type', typeOf(cell), NO_DATES)
    case 'cost':
      return readCost(cell)
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
      return costOf(cell) === stored
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

const PLAIN = /^[+-]?\$?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2}0*)?$/
// A comma before one or two digits cannot separate thousands.
const WITH_DECIMAL_COMMA = /^[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d{1,2}0*)$/

function costOf(cell: string): number | null {
  const text = cell.trim()
  if (PLAIN.test(text)) return Number(text.replaceAll(/[$,]/g, '')) + 0
  if (WITH_DECIMAL_COMMA.test(text)) return Number(text.replaceAll('.', '').replace(',', '.')) + 0
  return null
}

function readCost(cell: string): Parsed {
  if (cell.trim() === '') return { reason: 'Cost cannot be empty.' }
  const value = costOf(cell)
  if (value === null) return { reason: 'Not an amount, such as 45 or 45.50.' }
  return Math.abs(value) > MOST ? { reason: 'At most $9,999,999.' } : { value }
}
