import Papa from 'papaparse'

const MOST_BYTES = 5_000_000
const MOST_LINES = 10_000
const DELIMITERS = [',', ';', '\t']

/** A file that cannot be read at all; the message is a sentence for the owner. */
export class UnreadableFile extends Error {}

export type Table = {
  /** The first line, trimmed. */
  headers: string[]
  /** The others that are not blank, numbered as a spreadsheet numbers them. */
  lines: { line: number; cells: string[]; isBroken: boolean }[]
}

/** The text of a file: UTF-8, or the UTF-16 that Excel calls Unicode text. */
export async function readText(file: Blob): Promise<string> {
  if (file.size > MOST_BYTES) throw new UnreadableFile('This file is larger than 5 MB.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Told below.
  }
  throw new UnreadableFile('This file is not text in UTF-8. Save it as “CSV UTF-8”, then choose it again.')
}

/** Takes a CSV file apart, whose cells are separated by commas, semicolons or tabs: whichever gives most of `known`. */
export function readTable(text: string, known: readonly string[]): Table {
  const knownIn = (delimiter: string) =>
    headersOf(text, delimiter).filter((header) => known.includes(header.toLowerCase())).length
  const delimiter = DELIMITERS.toSorted((a, b) => knownIn(b) - knownIn(a))[0] ?? ','
  const { data, errors } = Papa.parse<string[]>(text, { delimiter })
  if (data.length > MOST_LINES + 1) throw new UnreadableFile('This file has more than 10,000 lines.')

  const broken = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
  const lines = data
    .map((cells, row) => ({ line: row + 1, cells, isBroken: broken.has(row) }))
    .slice(1)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  return { headers: headersOf(text, delimiter), lines }
}

function headersOf(text: string, delimiter: string): string[] {
  const [first = []] = Papa.parse<string[]>(text, { delimiter, preview: 1 }).data
  return first.map((header) => header.trim())
}
