import { withoutProtection } from '../../lib/csv.ts'
import { KEY_HEADERS } from '../export'
import { FIELDS, LABELS } from '../maintenance'
import { type Table, UnreadableFile } from './csv-file.ts'

const HEADERS = { ...KEY_HEADERS, ...LABELS }

/** The columns that an import looks at; all others are for reading. */
export type Column = keyof typeof HEADERS

const COLUMNS: readonly Column[] = ['id', 'bikeId', 'bike', ...FIELDS]

export const KNOWN_HEADERS = COLUMNS.map((column) => HEADERS[column].toLowerCase())

/** What a line says in a column; undefined where the file has no such column. */
export type Cells = Partial<Record<Column, string>>

/** How to find the cells of a line, or why it cannot be read. */
export function columnsOf({ headers }: Table): (cells: readonly string[]) => Cells | { reason: string } {
  const places = COLUMNS.flatMap((column): [Column, number][] => {
    const found = headers.flatMap((header, place) =>
      header.toLowerCase() === HEADERS[column].toLowerCase() ? [place] : [],
    )
    if (found.length > 1) throw new UnreadableFile(`The column “${HEADERS[column]}” stands there twice.`)
    return found.map((place) => [column, place])
  })
  if (!places.some(([column]) => column === 'name')) {
    throw new UnreadableFile(
      'This is not the log: its first line has to name the columns, as in the file of Export.',
    )
  }
  const last = Math.max(...places.map(([, place]) => place))

  return (cells) => {
    if (cells.length <= last) return { reason: 'This line is cut short.' }
    if (cells.slice(headers.length).some((cell) => cell.trim() !== ''))
      return { reason: 'This line has more cells than the first one.' }
    return Object.fromEntries(
      places.map(([column, place]) => [column, withoutProtection(cells[place] ?? '')]),
    )
  }
}
