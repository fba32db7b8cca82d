import Papa from 'papaparse'

import { unescapeFormulas } from '../../lib/csv.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS, KEY_HEADERS, withoutCurrency } from '../entries/csv.ts'

const MAX_BYTES = 5_000_000
const MAX_LINES = 10_000
const DELIMITERS = [',', ';', '\t']

/** The headers of the columns that an import reads. Other columns are ignored. */
const HEADERS: Record<string, string> = {
  ...KEY_HEADERS,
  ...Object.fromEntries(CSV_FIELD_NAMES.map((field) => [field, CSV_FIELDS[field].label])),
}

export type Column = keyof typeof KEY_HEADERS | (typeof CSV_FIELD_NAMES)[number]

const COLUMNS = Object.keys(HEADERS) as Column[]

/** A line's cells by column. Columns that the file doesn't have are absent. */
export type Cells = Partial<Record<Column, string>>

/** A line, numbered as in a spreadsheet. `message` explains why it can't be read. */
export type Line = { line: number } & ({ cells: Cells } | { message: string })

/** Thrown for a file that can't be read. Its message is shown to the owner. */
export class UnreadableFile extends Error {}

/** Decodes a file as UTF-8 or as UTF-16, which Excel calls “Unicode Text”. */
export async function readText(file: Blob): Promise<string> {
  if (file.size > MAX_BYTES) throw new UnreadableFile('This file is larger than 5 MB.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Falls through to the error below.
  }
  throw new UnreadableFile('This file is not UTF-8 text. Save it as “CSV UTF-8” and choose it again.')
}

/** Parses a CSV file's lines, except the header and blank lines. Throws an UnreadableFile. */
export function parseCsv(text: string): Line[] {
  const delimiter = delimiterOf(text)
  const { data, errors } = Papa.parse<string[]>(text, { delimiter })
  if (data.length > MAX_LINES + 1) throw new UnreadableFile('This file has more than 10,000 lines.')
  const headers = headersOf(text, delimiter)
  const indexes = indexColumns(headers)
  const badQuotes = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
  return data.flatMap((cells, index): Line[] => {
    if (index === 0 || cells.every((cell) => cell.trim() === '')) return []
    const line = index + 1
    if (badQuotes.has(index)) return [{ line, message: 'A quotation mark is missing its pair.' }]
    return [{ line, ...pickCells(cells, headers.length, indexes) }]
  })
}

function delimiterOf(text: string): string {
  const known = new Set(Object.values(HEADERS).map((header) => header.toLowerCase()))
  const countKnown = (delimiter: string) =>
    headersOf(text, delimiter).filter((header) => known.has(header.toLowerCase())).length
  return DELIMITERS.toSorted((a, b) => countKnown(b) - countKnown(a))[0] ?? ','
}

function headersOf(text: string, delimiter: string): string[] {
  const [first = []] = Papa.parse<string[]>(text, { delimiter, preview: 1 }).data
  return first.map((header) => withoutCurrency(header.trim()))
}

function indexColumns(headers: readonly string[]): ReadonlyMap<Column, number> {
  const indexes = new Map<Column, number>()
  for (const column of COLUMNS) {
    const name = HEADERS[column]!
    const isThis = (header: string) => header.toLowerCase() === name.toLowerCase()
    const index = headers.findIndex(isThis)
    if (index !== headers.findLastIndex(isThis))
      throw new UnreadableFile(`The file has two columns named “${name}”.`)
    if (index !== -1) indexes.set(column, index)
  }
  if (!indexes.has('name'))
    throw new UnreadableFile('Not a log export: the first line must contain the column names.')
  return indexes
}

function pickCells(
  cells: readonly string[],
  width: number,
  indexes: ReadonlyMap<Column, number>,
): { cells: Cells } | { message: string } {
  if (cells.length <= Math.max(...indexes.values())) return { message: 'This line has too few cells.' }
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    return { message: 'This line has more cells than the first one.' }
  const picked = [...indexes].map(([column, index]) => [column, unescapeFormulas(cells[index] ?? '')])
  return { cells: Object.fromEntries(picked) as Cells }
}
