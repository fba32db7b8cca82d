import Papa from 'papaparse'

import { unescapeFormulas } from '../../lib/csv.ts'
import { withoutCurrency } from '../entries/csv.ts'
import { isKnownHeader } from './headers.ts'

const MAX_BYTES = 5_000_000
const MAX_LINES = 10_000
const DELIMITERS = [',', ';', '\t']

/** A line, numbered as in a spreadsheet. `message` explains why it can't be read. */
export type SheetLine = { line: number } & ({ cells: readonly string[] } | { message: string })

/** A file's header and the lines below it, except blank ones. */
export type Sheet = { headers: readonly string[]; lines: readonly SheetLine[] }

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

/** Parses a CSV file. Throws an UnreadableFile. */
export function parseSheet(text: string): Sheet {
  const { delimiter, row: headerRow, headers } = findHeaders(text)
  const { data, errors } = Papa.parse<string[]>(text, { delimiter })
  if (data.length > MAX_LINES + 1) throw new UnreadableFile('This file has more than 10,000 lines.')
  const badQuotes = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
  const lines = data.flatMap((cells, index): SheetLine[] => {
    if (index <= headerRow || cells.every((cell) => cell.trim() === '')) return []
    const line = index + 1
    if (badQuotes.has(index)) return [{ line, message: 'A quotation mark is missing its pair.' }]
    if (cells.slice(headers.length).some((cell) => cell.trim() !== ''))
      return [{ line, message: 'This line has more cells than the first one.' }]
    return [{ line, cells: cells.map(unescapeFormulas) }]
  })
  return { headers, lines }
}

/** How many lines, such as `sep=;`, a title or an empty line, may be above the header. */
const MAX_ABOVE = 10

/** Returns the delimiter and row with which the most headers are known or, if none is, the most cells have text. */
function findHeaders(text: string) {
  const found = DELIMITERS.flatMap((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, preview: MAX_ABOVE + 1 })
    return data.map((cells, row) => {
      const headers = cells.map((header) => withoutCurrency(header.trim()))
      const filled = headers.filter((header) => header !== '').length
      return { delimiter, row, headers, filled, known: headers.filter(isKnownHeader).length }
    })
  })
  const [best] = found.toSorted((a, b) => b.known - a.known || b.filled - a.filled || a.row - b.row)
  return best ?? { delimiter: ',', row: 0, headers: [] }
}
