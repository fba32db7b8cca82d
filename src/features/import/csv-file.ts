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

/** `ignored`: the headers of columns that are left out. */
type File = { lines: Line[]; ignored: string[] }

/** Parses a CSV file's lines, except the header, what is above it, and blank lines. Throws an UnreadableFile. */
export function parseCsv(text: string): File {
  const { delimiter, row: headerRow, headers } = findHeaders(text)
  const { data, errors } = Papa.parse<string[]>(text, { delimiter })
  if (data.length > MAX_LINES + 1) throw new UnreadableFile('This file has more than 10,000 lines.')
  const indexes = indexColumns(headers)
  const badQuotes = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
  const lines = data.flatMap((cells, index): Line[] => {
    if (index <= headerRow || cells.every((cell) => cell.trim() === '')) return []
    const line = index + 1
    if (badQuotes.has(index)) return [{ line, message: 'A quotation mark is missing its pair.' }]
    return [{ line, ...pickCells(cells, headers.length, indexes) }]
  })
  const read = new Set(indexes.values())
  return { lines, ignored: headers.filter((header, index) => header !== '' && !read.has(index)) }
}

/** How many lines, such as `sep=;`, a title or an empty line, may be above the header. */
const MAX_ABOVE = 10

const KNOWN = new Set(Object.values(HEADERS).map((header) => header.toLowerCase()))
const isKnown = (header: string) => KNOWN.has(header.toLowerCase())

/** Returns the delimiter and row with which the most headers are known. */
function findHeaders(text: string) {
  const found = DELIMITERS.flatMap((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, preview: MAX_ABOVE + 1 })
    return data.map((cells, row) => {
      const headers = cells.map((header) => withoutCurrency(header.trim()))
      return { delimiter, row, headers, count: headers.filter(isKnown).length }
    })
  })
  const [best] = found.toSorted((a, b) => b.count - a.count || a.row - b.row)
  return best ?? { delimiter: ',', row: 0, headers: [] }
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
